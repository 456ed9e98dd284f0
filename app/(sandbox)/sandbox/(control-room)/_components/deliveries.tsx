import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code, CodeBlock } from '@/components/ui/code';
import { Disclosure } from '@/components/ui/disclosure';
import { Empty } from '@/components/ui/empty';
import { SubmitButton } from '@/components/ui/submit-button';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { ListedDelivery } from '@/lib/sandbox/deliveries/delivery-queries';
import { redeliverNow } from '../actions';

/** The webhooks that the sandbox has sent, newest first. */
export function Deliveries({ deliveries, now }: { deliveries: ListedDelivery[]; now: Date }) {
  return (
    <Card
      id="deliveries"
      title="Deliveries"
      description="Every webhook as it went over the wire: signed, attempted until it is answered with 2xx, and kept with each answer."
    >
      {deliveries.length === 0 ? (
        <Empty title="Nothing sent yet">Sign up in the shop: the first event is user.created.</Empty>
      ) : (
        <Table caption="Deliveries, newest first" isCaptionHidden>
          <TableHead>
            <HeaderCell>Event</HeaderCell>
            <HeaderCell>Status</HeaderCell>
            <HeaderCell>When</HeaderCell>
            <HeaderCell>
              <span className="sr-only">Actions</span>
            </HeaderCell>
          </TableHead>
          <tbody>
            {deliveries.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} now={now} />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

const TONES: Readonly<Record<string, BadgeTone>> = { delivered: 'success', pending: 'warning', failed: 'danger' };

function Row({ delivery, now }: { delivery: ListedDelivery; now: Date }) {
  const last = delivery.attempts.at(-1);
  return (
    <TableRow>
      <Cell isWide className="min-w-64">
        <span className="font-medium">{delivery.event_type}</span>
        <span className="wrap-anywhere block">{delivery.subject}</span>
        <span className="block text-muted-foreground text-sm">
          {delivery.provider === 'clerk' ? 'Clerk' : 'Stripe'} to <Code>{new URL(delivery.url).pathname}</Code>
        </span>
        <Disclosure summary="Request and answers">
          <DeliveryDetails delivery={delivery} />
        </Disclosure>
      </Cell>
      <Cell>
        <Badge tone={TONES[delivery.status] ?? 'neutral'}>{delivery.status}</Badge>
        <span className="mt-1 block text-muted-foreground text-sm sm:whitespace-nowrap">
          {delivery.attempts.length} {delivery.attempts.length === 1 ? 'attempt' : 'attempts'}
          {last && `, last ${last.answer_status ?? 'no answer'} in ${last.duration_ms} ms`}
        </span>
      </Cell>
      <Cell>
        <Time value={new Date(delivery.created_at)} now={now} />
      </Cell>
      <Cell>
        <form action={redeliverNow}>
          <input type="hidden" name="delivery" value={delivery.id} />
          <SubmitButton variant="secondary" size="small" pendingLabel="Sending…">
            Send again<span className="sr-only">: {delivery.event_type}</span>
          </SubmitButton>
        </form>
      </Cell>
    </TableRow>
  );
}

function DeliveryDetails({ delivery }: { delivery: ListedDelivery }) {
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-3">
      {delivery.attempts.map((attempt) => (
        <div key={attempt.attempted_at} className="grid grid-cols-1 gap-1">
          <p className="text-sm">
            <Time value={new Date(attempt.attempted_at)} />:{' '}
            {attempt.answer_status ? `answered ${attempt.answer_status}` : attempt.error} in {attempt.duration_ms} ms
          </p>
          <CodeBlock label="Request headers">
            {Object.entries(attempt.request_headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </CodeBlock>
          {attempt.answer_body && <CodeBlock label="Answer">{attempt.answer_body}</CodeBlock>}
        </div>
      ))}
      <CodeBlock label="Payload">{readable(delivery.body)}</CodeBlock>
    </div>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
