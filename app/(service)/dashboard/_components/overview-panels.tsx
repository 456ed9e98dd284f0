import { Card } from '@/components/ui/card';
import { Empty } from '@/components/ui/empty';
import { PageHeader } from '@/components/ui/page-header';
import { TextLink } from '@/components/ui/text-link';
import type { DateRange } from '@/lib/service/dashboard/date-range';
import type { DashboardEvent } from '@/lib/service/dashboard/event-queries';
import type { Overview } from '@/lib/service/dashboard/overview-queries';
import { CountedDays, DateRangeControl } from './date-range-control';
import { EventTable } from './event-table';
import { FeedLive } from './feed-live';
import { Exceptions, Figures } from './figures';
import { Funnel } from './funnel';
import { RevenueCard } from './revenue-card';

type OverviewPanelsProps = {
  overview: Overview;
  /** The latest ones. */
  events: DashboardEvent[];
  range: DateRange;
  /** The currency in the URL. */
  currency: string;
  /** The version of the feed that the page shows. */
  shown: string;
  now: Date;
};

/** The first page of the dashboard: figures, revenue, the funnel and the latest events. */
export function OverviewPanels({ overview, events, range, currency, shown, now }: OverviewPanelsProps) {
  const kept = currency && `currency=${encodeURIComponent(currency)}`;
  return (
    <>
      <PageHeader
        title="Overview"
        description={<CountedDays {...{ range, kept }} latest={events[0]?.occurredAt} path="/dashboard" />}
        actions={
          <>
            <DateRangeControl range={range} path="/dashboard" kept={kept} />
            <FeedLive events={events} shown={shown} />
          </>
        }
      />
      <div className="grid gap-4 sm:gap-5">
        <Figures overview={overview} />
        <div className="grid gap-4 sm:gap-5 lg:grid-cols-[1fr_20rem]">
          <RevenueCard overview={overview} range={range} asked={currency} />
          <Funnel counts={overview.current} />
        </div>
        <Exceptions overview={overview} range={range} />
        <Card id="latest" title="Latest events" aside={<TextLink href="/dashboard/events">View all</TextLink>}>
          {events.length === 0 ? (
            <Empty title="No events yet">
              Open your site with the link of one of your <TextLink href="/dashboard/partners">partners</TextLink>.
            </Empty>
          ) : (
            <EventTable events={events} now={now} />
          )}
        </Card>
      </div>
    </>
  );
}
