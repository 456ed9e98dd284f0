import type { Metadata } from 'next';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { parseEventFilter, type SearchParams, writeEventFilter } from '@/lib/service/dashboard/event-filter';
import { listEvents } from '@/lib/service/dashboard/event-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { EventTable } from '../../_components/event-table';

export const metadata: Metadata = { title: 'Events' };

export default async function EventsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { programId } = await requireAccess();
  const filter = parseEventFilter(await searchParams);
  const { events, nextCursor } = await listEvents(programId, filter);
  const query = writeEventFilter(filter);
  return (
    <>
      <PageHeader
        title="Events"
        description="Clicks, leads and sales as the service recorded them, newest first."
        actions={!filter.cursor && <Live ids={events.map(({ id }) => id)} noun="event" />}
      />
      {events.length === 0 ? (
        <Empty title="No events yet">
          They appear here as they happen. Open the shop through a partner’s link, for instance <code>/?aff=ada</code>.
        </Empty>
      ) : (
        <EventTable events={events} now={new Date()} caption="Tracking events, newest first" />
      )}
      {(filter.cursor || nextCursor) && (
        <nav aria-label="Pages" className="mt-4 flex gap-2">
          {filter.cursor && (
            <LinkButton variant="secondary" href={`/dashboard/events?${query}`}>
              Newest
            </LinkButton>
          )}
          {nextCursor && (
            <LinkButton variant="secondary" href={`/dashboard/events?${query}&cursor=${nextCursor}`}>
              Older
            </LinkButton>
          )}
        </nav>
      )}
    </>
  );
}
