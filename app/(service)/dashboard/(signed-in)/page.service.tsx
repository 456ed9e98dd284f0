import type { Metadata } from 'next';
import { Card } from '@/components/ui/card';
import { Empty } from '@/components/ui/empty';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { TextLink } from '@/components/ui/text-link';
import { listEvents } from '@/lib/service/dashboard/event-queries';
import { FEED_VERSION_PATH, readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { readOverview } from '@/lib/service/dashboard/overview-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { EventTable } from '../_components/event-table';
import { Figures } from '../_components/figures';
import { Funnel } from '../_components/funnel';

export const metadata: Metadata = { title: 'Overview' };

const LATEST = 8;

export default async function OverviewPage() {
  const { programId } = await requireAccess();
  const now = new Date();
  const shown = await readFeedVersion(programId); // before what it is the version of
  const [overview, { events }] = await Promise.all([
    readOverview(programId, now),
    listEvents(programId, { mode: 'live' }, LATEST),
  ]);
  return (
    <>
      <PageHeader
        title="Overview"
        description="All time, without test events."
        actions={<Live ids={events.map(({ id }) => id)} noun="event" version={{ shown, path: FEED_VERSION_PATH }} />}
      />
      <div className="grid gap-6">
        <Figures overview={overview} />
        <Funnel totals={overview.totals} />
        <Card id="latest" title="Latest events" aside={<TextLink href="/dashboard/events">All events</TextLink>}>
          {events.length === 0 ? (
            <Empty title="Nothing has happened yet">
              Open the shop through a partner’s link, for instance <code>/?aff=ada</code>.
            </Empty>
          ) : (
            <EventTable events={events} now={now} />
          )}
        </Card>
      </div>
    </>
  );
}
