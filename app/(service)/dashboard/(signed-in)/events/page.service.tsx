import type { Metadata } from 'next';
import { parseEventFilter, type SearchParams } from '@/lib/service/dashboard/event-filter';
import { listEvents } from '@/lib/service/dashboard/event-queries';
import { readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { listPartnerCodes } from '@/lib/service/dashboard/partner-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { EventList } from '../../_components/event-list';
import { ProgramPage } from '../../_components/program-page';

export const metadata: Metadata = { title: 'Events' };

export default async function EventsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await searchParams;
  const { programId } = await requireAccess('/dashboard/events', params);
  const filter = parseEventFilter(params);
  const shown = await readFeedVersion(programId); // before the data, so that it is never newer
  const [page, partners] = await Promise.all([listEvents(programId, filter), listPartnerCodes(programId)]);
  return (
    <ProgramPage programId={programId}>
      <EventList page={page} filter={filter} partners={partners} shown={shown} now={new Date()} />
    </ProgramPage>
  );
}
