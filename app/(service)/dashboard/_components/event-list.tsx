import { Card } from '@/components/ui/card';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { TextLink } from '@/components/ui/text-link';
import { type EventFilter, writeEventFilter } from '@/lib/service/dashboard/event-filter';
import type { EventPage } from '@/lib/service/dashboard/event-queries';
import { CursorPager } from './cursor-pager';
import { EventFilterForm } from './event-filter-form';
import { EventTable } from './event-table';
import { FeedLive } from './feed-live';
import { FilterStatus } from './filter-form';

type EventListProps = {
  page: EventPage;
  /** null if it cannot be read. */
  filter: EventFilter | null;
  /** null if there are too many to choose from. */
  partners: string[] | null;
  /** The version of the feed that the page shows. */
  shown: string;
  now: Date;
};

/** The events page: filters, a page of events, and their export. */
export function EventList({ page: { events, nextCursor }, filter, partners, shown, now }: EventListProps) {
  const query = filter ? writeEventFilter(filter) : '';
  return (
    <>
      <PageHeader
        title="Events"
        description="Clicks, leads and sales, newest first. Amounts are without tax."
        actions={!filter?.cursor && <FeedLive key={query} events={events} shown={shown} />}
      />
      <EventFilterForm applied={query} filter={filter ?? {}} partners={partners} />
      <FilterStatus
        applied={`${query} ${filter?.cursor?.id}`}
        noun="event"
        count={events.length}
        hasMore={nextCursor !== null}
        problem={problemOf(filter)}
      />
      {events.length === 0 ? (
        <NoEvents filter={filter} query={query} />
      ) : (
        <Card>
          <EventTable events={events} now={now} />
        </Card>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <CursorPager path="/dashboard/events" query={query} isFirst={!filter?.cursor} nextCursor={nextCursor} />
        {events.length > 0 && <ExportLinks query={query} />}
      </div>
    </>
  );
}

const problemOf = (filter: EventFilter | null): string | undefined =>
  filter?.from && filter.to && filter.from > filter.to ? 'The end is before the start.' : undefined;

function NoEvents({ filter, query }: Pick<EventListProps, 'filter'> & { query: string }) {
  const problem = problemOf(filter);
  if (problem) return <Empty title="No matching events">{problem} Change or clear the dates.</Empty>;
  if (!filter || query) return <Empty title="No matching events">Change or clear the filters.</Empty>;
  return (
    <Empty title="No events yet">
      They appear here as they happen. Open your site with the link of one of your{' '}
      <TextLink href="/dashboard/partners">partners</TextLink>.
    </Empty>
  );
}

function ExportLinks({ query }: { query: string }) {
  return (
    <div className="flex gap-2">
      {(['csv', 'json'] as const).map((format) => (
        <LinkButton
          key={format}
          variant="ghost"
          href={`/dashboard/events/export?${query}&format=${format}`}
          prefetch={false}
          download
        >
          Export {format.toUpperCase()}
        </LinkButton>
      ))}
    </div>
  );
}
