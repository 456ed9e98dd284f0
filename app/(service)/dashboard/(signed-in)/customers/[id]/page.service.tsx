import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Badge } from '@/components/ui/badge';
import { Code } from '@/components/ui/code';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { Thread } from '@/components/ui/thread';
import { FEED_VERSION_PATH, readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { findJourney, type Journey } from '@/lib/service/dashboard/journey-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { JourneyKnot } from '../../../_components/journey-knot';

export const metadata: Metadata = { title: 'Journey' };

/** One customer's way from click to renewal, from the service's own records: `led_…`, or `clk_…` of a visitor. */
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
        title={journey.customerKey ? 'Journey of a customer' : 'Journey of a visitor'}
        description={<Whose journey={journey} />}
        actions={<Live ids={ids} noun="event" version={{ shown, path: FEED_VERSION_PATH }} />}
      />
      <Thread label="Journey, oldest first">
        {journey.nodes.map((node) => (
          <JourneyKnot key={node.event?.id ?? node.title} node={node} now={now} />
        ))}
      </Thread>
    </>
  );
}

function Whose({ journey }: { journey: Journey }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {journey.customerKey ? <Code>{journey.customerKey}</Code> : 'Not signed up, or not reported yet'}
      {journey.email && <span>{journey.email}</span>}
      {journey.partnerCode && (
        <span>
          through <Code>{journey.partnerCode}</Code>
        </span>
      )}
      {journey.isTest && <Badge>Test</Badge>}
    </span>
  );
}
