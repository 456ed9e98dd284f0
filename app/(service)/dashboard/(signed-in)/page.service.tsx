import type { Metadata } from 'next';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { listEvents } from '@/lib/service/dashboard/event-queries';
import { readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { readOverview } from '@/lib/service/dashboard/overview-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { OverviewPanels } from '../_components/overview-panels';
import { ProgramPage } from '../_components/program-page';

export const metadata: Metadata = { title: 'Overview' };

const LATEST = 8;

export default async function OverviewPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await searchParams;
  const { programId } = await requireAccess('/dashboard', params);
  const now = new Date();
  const range = parseDateRange(params, now);
  const shown = await readFeedVersion(programId); // before the data, so that it is never newer
  const [overview, { events }] = await Promise.all([
    readOverview(programId, range, now),
    listEvents(programId, { mode: 'live' }, LATEST),
  ]);
  const currency = String(params.currency ?? '');
  return (
    <ProgramPage programId={programId}>
      <OverviewPanels {...{ overview, events, range, currency, shown, now }} />
    </ProgramPage>
  );
}
