import { Badge } from '@/components/ui/badge';
import { Code } from '@/components/ui/code';
import { Money } from '@/components/ui/money';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { DashboardEvent } from '@/lib/service/dashboard/event-queries';
import { explainReason } from '@/lib/service/dashboard/explain-reason';
import { EventKind } from './event-kind';

/** Tracking events, newest first. */
export function EventTable({ events, now }: { events: DashboardEvent[]; now: Date }) {
  return (
    <Table caption="Tracking events, newest first" isCaptionHidden>
      <TableHead>
        <HeaderCell>Event</HeaderCell>
        <HeaderCell>When</HeaderCell>
        <HeaderCell>Partner</HeaderCell>
        <HeaderCell>Customer</HeaderCell>
        <HeaderCell isNumeric>Amount</HeaderCell>
        <HeaderCell>Record</HeaderCell>
      </TableHead>
      <tbody>
        {events.map((event) => (
          <TableRow key={event.id}>
            <Cell>
              <span className="flex flex-wrap gap-1">
                <EventKind kind={event.kind} />
                {event.isTest && <Badge>Test</Badge>}
              </span>
            </Cell>
            <Cell>
              <Time value={event.occurredAt} now={now} />
            </Cell>
            <Cell>{event.partnerCode && <Code>{event.partnerCode}</Code>}</Cell>
            <Cell isWide className="min-w-28 max-w-64">
              <Whom event={event} />
            </Cell>
            <Cell isNumeric>{event.money && <Money {...event.money} />}</Cell>
            <Cell isWide className="min-w-40 max-w-md">
              {event.transactionId && <Code className="block">{event.transactionId}</Code>}
              {event.clickId && (
                <TextLink href={`/dashboard/customers/${event.clickId}`} className="block text-muted-foreground">
                  <Code>{event.clickId}</Code>
                </TextLink>
              )}
              {event.reason && (
                <span className="block">
                  <Code className="text-warning">{event.reason}</Code> {explainReason(event.reason)}
                </span>
              )}
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function Whom({ event: { customerKey, leadId } }: { event: DashboardEvent }) {
  if (!customerKey) return null;
  if (!leadId) return <Code>{customerKey}</Code>;
  return (
    <TextLink href={`/dashboard/customers/${leadId}`}>
      <Code>{customerKey}</Code>
    </TextLink>
  );
}
