import { Live } from '@/components/ui/live';
import type { DashboardEvent } from '@/lib/service/dashboard/event-queries';

const VERSION_PATH = '/dashboard/version';

/** Keeps a page with events current. `shown` is the version of the feed that it shows. */
export function FeedLive({ events, shown }: { events: ReadonlyArray<DashboardEvent | null>; shown: string }) {
  const ids = events.flatMap((event) => (event ? [event.id] : []));
  return <Live ids={ids} noun="event" version={{ shown, path: VERSION_PATH }} />;
}
