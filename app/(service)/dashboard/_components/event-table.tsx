import { Badge } from '@/components/ui/badge';
import { Code } from '@/components/ui/code';
import { CopyableId, Id } from '@/components/ui/id';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { DashboardEvent } from '@/lib/service/dashboard/event-queries';
import { explainReason, findFix } from '@/lib/service/dashboard/explain-reason';
import { CustomerName } from './customer-name';
import { EventAmount, EventKind, UnknownClick } from './event-kind';

/** Tracking events, newest first. */
export function EventTable({ events, now }: { events: DashboardEvent[]; now: Date }) {
  return (
    <Table caption="Tracking events, newest first">
      <TableHead>
        <HeaderCell>Event</HeaderCell>
        <HeaderCell>Customer</HeaderCell>
        <HeaderCell>Partner</HeaderCell>
        <HeaderCell isNumeric>Amount</HeaderCell>
        <HeaderCell>Details</HeaderCell>
        <HeaderCell isNumeric>Time</HeaderCell>
      </TableHead>
      <tbody>
        {events.map((event) => (
          <TableRow key={event.id} id={event.id}>
            <Cell>
              <span className="flex flex-wrap gap-1">
                <EventKind kind={event.kind} reason={event.reason} />
                {event.isTest && <Badge>Test</Badge>}
              </span>
            </Cell>
            <Cell isWide className="sm:min-w-32 sm:max-w-36 lg:max-w-56">
              <EventCustomer event={event} />
            </Cell>
            <Cell className="max-w-40">{event.partnerCode && <Id>{event.partnerCode}</Id>}</Cell>
            <Cell isNumeric>
              <EventAmount {...event} />
            </Cell>
            <Cell isWide className="sm:max-w-36 lg:max-w-72">
              <Details event={event} />
            </Cell>
            <Cell isNumeric className="whitespace-nowrap text-muted-foreground">
              <Time value={event.occurredAt} now={now} />
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function EventCustomer({ event: { customerKey, email, leadId, clickId, partnerCode } }: { event: DashboardEvent }) {
  if (customerKey) return <CustomerName customerKey={customerKey} email={email} leadId={leadId} />;
  if (!clickId || !partnerCode) return null; // a payment may name a click that never existed
  return (
    <TextLink
      prefetch={false}
      href={`/dashboard/customers/${encodeURIComponent(clickId)}`}
      className="text-muted-foreground"
    >
      Visitor
    </TextLink>
  );
}

function Details({ event }: { event: DashboardEvent }) {
  const { transactionId, clickId, reason } = event;
  const id = transactionId ?? clickId;
  const fix = findFix(event);
  return (
    <>
      {id && (
        <span className="flex max-w-48 flex-col sm:max-lg:max-w-36">
          <CopyableId what={transactionId ? 'payment ID' : 'click ID'}>{id}</CopyableId>
          <UnknownClick event={event} />
        </span>
      )}
      {reason && (
        <span className="block">
          <Code className="text-warning">{reason}</Code> {explainReason(event)}
          {fix && (
            <>
              {' '}
              <TextLink prefetch={false} href={fix.href}>
                {fix.label}
              </TextLink>
            </>
          )}
        </span>
      )}
    </>
  );
}
