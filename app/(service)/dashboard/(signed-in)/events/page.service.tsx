import type { Metadata } from 'next';
import { Card } from '@/components/ui/card';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { parseEventFilter, type SearchParams, writeEventFilter } from '@/lib/service/dashboard/event-filter';
import { listEvents } from '@/lib/service/dashboard/event-queries';
import { FEED_VERSION_PATH, readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { listPartnerCodes } from '@/lib/service/dashboard/partner-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { EventFilterForm } from '../../_components/event-filter-form';
import { EventTable } from '../../_components/event-table';
import { Pager } from '../../_components/pager';

export const metadata: Metadata = { title: 'Events' };

export default async function EventsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { programId } = await requireAccess();
  const filter = parseEventFilter(await searchParams);
  const shown = await readFeedVersion(programId); // before what it is the version of
  const [{ events, nextCursor }, partners] = await Promise.all([
    listEvents(programId, filter),
    listPartnerCodes(programId),
  ]);
  const query = writeEventFilter(filter);
  return (
    <>
      <PageHeader
        title="Events"
        description="Clicks, leads and sales, newest first."
        actions={
          !filter.cursor && (
            <Live ids={events.map(({ id }) => id)} noun="event" version={{ shown, path: FEED_VERSION_PATH }} />
          )
        }
      />
      <EventFilterForm key={query} filter={filter} partners={partners} />
      {events.length === 0 ? (
        <NoEvents isFiltered={query !== ''} />
      ) : (
        <Card>
          <EventTable events={events} now={new Date()} />
        </Card>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <Pager path="/dashboard/events" query={query} isFirst={!filter.cursor} nextCursor={nextCursor} />
        {events.length > 0 && <ExportLinks query={query} />}
      </div>
    </>
  );
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching events">Change or clear the filters.</Empty>;
  return (
    <Empty title="No events yet">
      They appear here as they happen. Open the shop with a partner’s link, for example <code>/?aff=ada</code>.
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
