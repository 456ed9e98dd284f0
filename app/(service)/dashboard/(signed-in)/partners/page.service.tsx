import type { Metadata } from 'next';
import { isStorableText } from '@/lib/service/clean-input';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { listEvents } from '@/lib/service/dashboard/event-queries';
import { listPartners } from '@/lib/service/dashboard/partner-queries';
import { readSearch } from '@/lib/service/dashboard/search';
import { readOwnOrigin, requireAccess } from '@/lib/service/dashboard/session';
import { PartnerList } from '../../_components/partner-list';
import { ProgramPage } from '../../_components/program-page';

export const metadata: Metadata = { title: 'Partners' };

export default async function PartnersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await searchParams;
  const { programId, isPaused } = await requireAccess('/dashboard/partners', params);
  const { cursor } = params;
  const search = readSearch(params);
  const now = new Date();
  const range = parseDateRange(params, now);
  const after = typeof cursor === 'string' && isStorableText(cursor) ? cursor : undefined;
  const [page, latest, base] = await Promise.all([
    listPartners(programId, range, now, { search, after }),
    listEvents(programId, { mode: 'live' }, 1),
    readOwnOrigin(),
  ]);
  return (
    <ProgramPage programId={programId}>
      <PartnerList
        page={page}
        search={search}
        range={range}
        latest={latest.events[0]?.occurredAt}
        isFirst={after === undefined}
        isPaused={isPaused}
        base={base}
      />
    </ProgramPage>
  );
}
