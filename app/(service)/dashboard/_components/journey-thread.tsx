import { Badge } from '@/components/ui/badge';
import { CopyableId } from '@/components/ui/id';
import { PageHeader } from '@/components/ui/page-header';
import { Thread } from '@/components/ui/thread';
import type { Journey } from '@/lib/service/dashboard/journey-queries';
import { FeedLive } from './feed-live';
import { JourneyNode } from './journey-node';

/** One customer's journey, oldest first. `shown` is the version of the feed that it shows. */
export function JourneyThread({ journey, shown, now }: { journey: Journey; shown: string; now: Date }) {
  return (
    <>
      <PageHeader
        title={journey.email ?? (journey.customerKey ? 'Customer journey' : 'Visitor journey')}
        description={<Summary journey={journey} />}
        actions={<FeedLive events={journey.nodes.map(({ event }) => event)} shown={shown} />}
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
      {customerKey ? <CopyableId what="customer ID">{customerKey}</CopyableId> : 'No settled lead with this click'}
      {partner && (
        <span className="wrap-anywhere">
          Referred by {partner.name}
          {partner.code !== partner.name && ` (${partner.code})`}
        </span>
      )}
      {isTest && <Badge>Test</Badge>}
    </span>
  );
}
