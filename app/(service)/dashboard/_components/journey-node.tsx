import { CodeBlock } from '@/components/ui/code';
import { Disclosure } from '@/components/ui/disclosure';
import { CopyableId } from '@/components/ui/id';
import { TextLink } from '@/components/ui/text-link';
import { ThreadNode } from '@/components/ui/thread';
import { formatExactTime, Time } from '@/components/ui/time';
import { findFix, isKnownByNow } from '@/lib/service/dashboard/explain-reason';
import type { Journey } from '@/lib/service/dashboard/journey-queries';
import { EventAmount, UnknownClick } from './event-kind';

/** The name of the record shown for these events; others are named by their title. */
const RECORD_NAMES = new Map<string, string>([
  ['refund', 'sale'],
  ['not_attributed', 'payment'],
]);

/** A node of a journey, with its ID and the stored record behind a disclosure. */
export function JourneyNode({ node, now }: { node: Journey['nodes'][number]; now: Date }) {
  const { title, isLit, reason, event, record } = node;
  if (!event) return <ThreadNode title={title} isLit={isLit} reason={reason} />;
  const fix = isKnownByNow(event) ? null : findFix(event); // its fix is this page
  const isLead = event.kind === 'lead';
  const recordId = event.transactionId ?? (isLead ? event.leadId : event.clickId);
  const idName = event.transactionId ? 'payment ID' : isLead ? 'lead ID' : 'click ID';
  const recordName = RECORD_NAMES.get(event.kind) ?? title.toLowerCase();
  return (
    <ThreadNode
      title={
        <>
          {title}
          {event.money && (
            <>
              {' '}
              <EventAmount {...event} />
            </>
          )}
        </>
      }
      isLit={isLit}
      reason={
        fix ? (
          <>
            {reason} <TextLink href={fix.href}>{fix.label}</TextLink>
          </>
        ) : (
          reason
        )
      }
      time={
        <>
          <Time value={event.occurredAt} now={now} /> · {formatExactTime(event.occurredAt)}
        </>
      }
    >
      {recordId && (
        <span className="flex flex-col text-muted-foreground">
          <CopyableId what={idName}>{recordId}</CopyableId>
          <UnknownClick event={event} />
        </span>
      )}
      {record && (
        <Disclosure
          summary={
            <>
              Stored record<span className="sr-only"> of the {recordName}</span>
            </>
          }
        >
          <CodeBlock label={`Stored record of the ${recordName}`}>{JSON.stringify(record, null, 2)}</CodeBlock>
        </Disclosure>
      )}
    </ThreadNode>
  );
}
