import type { Metadata } from 'next';
import { Card } from '@/components/ui/card';
import { Empty } from '@/components/ui/empty';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { TextLink } from '@/components/ui/text-link';
import { formatDates } from '@/components/ui/time';
import { parseDateRange, previousRange } from '@/lib/service/dashboard/date-range';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { listEvents } from '@/lib/service/dashboard/event-queries';
import { FEED_VERSION_PATH, readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { readOverview } from '@/lib/service/dashboard/overview-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { DateRangeControl } from '../_components/date-range-control';
import { EventTable } from '../_components/event-table';
import { Exceptions, Figures } from '../_components/figures';
import { Funnel } from '../_components/funnel';
import { RevenueCard } from '../_components/revenue-card';

export const metadata: Metadata = { title: 'Overview' };

const LATEST = 8;

export default async function OverviewPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { programId } = await requireAccess();
  const params = await searchParams;
  const now = new Date();
  const range = parseDateRange(params, now);
  const shown = await readFeedVersion(programId); // before what it is the version of
  const [overview, { events }] = await Promise.all([
    readOverview(programId, range, now),
    listEvents(programId, { mode: 'live' }, LATEST),
  ]);
  return (
    <>
      <PageHeader
        title="Overview"
        description={`${formatDates(range)}, UTC. Test events are not included.`}
        actions={
          <>
            <DateRangeControl range={range} path="/dashboard" />
            <Live ids={events.map(({ id }) => id)} noun="event" version={{ shown, path: FEED_VERSION_PATH }} />
          </>
        }
      />
      <div className="grid gap-4 sm:gap-5">
        <Figures overview={overview} />
        <div className="grid gap-4 sm:gap-5 lg:grid-cols-[1fr_20rem]">
          <RevenueCard
            overview={overview}
            range={range}
            previous={previousRange(range)}
            asked={String(params.currency ?? '')}
          />
          <Funnel counts={overview.current} />
        </div>
        <Exceptions overview={overview} />
        <Card id="latest" title="Latest events" aside={<TextLink href="/dashboard/events">View all</TextLink>}>
          {events.length === 0 ? (
            <Empty title="No events yet">
              Open the shop with a partner’s link, for example <code>/?aff=ada</code>.
            </Empty>
          ) : (
            <EventTable events={events} now={now} />
          )}
        </Card>
      </div>
    </>
  );
}
