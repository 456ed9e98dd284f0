import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Badge } from '@/components/ui/badge';
import { CopyableId } from '@/components/ui/id';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { Thread } from '@/components/ui/thread';
import { FEED_VERSION_PATH, readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { findJourney, type Journey } from '@/lib/service/dashboard/journey-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { JourneyNode } from '../../../_components/journey-node';

export const metadata: Metadata = { title: 'Journey' };

/** One customer's journey from click to renewal: `led_…`, or `clk_…` of a visitor. */
export default async function JourneyPage({ params }: { params: Promise<{ id: string }> }) {
  const { programId } = await requireAccess();
  const shown = await readFeedVersion(programId); // before what it is the version of
  const journey = await findJourney(programId, (await params).id);
  if (!journey) notFound();
  const now = new Date();
  const ids = journey.nodes.flatMap(({ event }) => (event ? [event.id] : []));
  return (
    <>
      <PageHeader
        title={journey.email ?? (journey.customerKey ? 'Customer journey' : 'Visitor journey')}
        description={<Summary journey={journey} />}
        actions={<Live ids={ids} noun="event" version={{ shown, path: FEED_VERSION_PATH }} />}
      />
      <Thread label="Journey, oldest first">
        {journey.nodes.map((node) => (
          <JourneyNode key={node.event?.id ?? node.title} node={node} now={now} />
        ))}
      </Thread>
    </>
  );
}

function Summary({ journey: { customerKey, email, partner, isTest } }: { journey: Journey }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {email && <span>Customer journey</span>}
      {customerKey ? <CopyableId what="customer ID">{customerKey}</CopyableId> : 'Not signed up, or not reported yet'}
      {partner && <span>Referred by {partner.name}</span>}
      {isTest && <Badge>Test</Badge>}
    </span>
  );
}
