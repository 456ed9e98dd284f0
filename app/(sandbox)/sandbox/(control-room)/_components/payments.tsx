import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { Money } from '@/components/ui/money';
import { SubmitButton } from '@/components/ui/submit-button';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { formatExactTime, Time } from '@/components/ui/time';
import type { ShownCharge, ShownSubscription } from '@/lib/sandbox/control-room/read-control-room';
import { refundNow } from '../actions';

const TONES: Readonly<Record<string, BadgeTone>> = {
  active: 'success',
  trialing: 'info',
  past_due: 'danger',
  succeeded: 'success',
  pending: 'info',
  failed: 'danger',
};

/** Stripe's subscriptions and charges, newest first. */
export function Payments({ subscriptions, charges }: { subscriptions: ShownSubscription[]; charges: ShownCharge[] }) {
  return (
    <Card
      id="payments"
      title="Payments"
      description="Stripe’s side. A renewal can only be attributed by the keys that stand in the subscription’s metadata."
    >
      {charges.length === 0 && subscriptions.length === 0 ? (
        <Empty title="Nobody has paid yet">
          Buy a plan in the shop with 4242 4242 4242 4242, any date and any code.
        </Empty>
      ) : (
        <div className="grid gap-6">
          <Subscriptions subscriptions={subscriptions} />
          <Charges charges={charges} />
        </div>
      )}
    </Card>
  );
}

function Subscriptions({ subscriptions }: { subscriptions: ShownSubscription[] }) {
  return (
    <Table caption="Subscriptions, newest first">
      <TableHead>
        <HeaderCell>Subscription</HeaderCell>
        <HeaderCell>Status</HeaderCell>
        <HeaderCell>Attribution keys</HeaderCell>
        <HeaderCell>Next change</HeaderCell>
      </TableHead>
      <tbody>
        {subscriptions.map((subscription) => (
          <TableRow key={subscription.id}>
            <Cell isWide className="min-w-52">
              <span className="wrap-anywhere block">{subscription.customerEmail}</span>
              <Code className="text-muted-foreground">{subscription.id}</Code>
            </Cell>
            <Cell>
              <Badge tone={TONES[subscription.status] ?? 'neutral'}>{subscription.status}</Badge>
            </Cell>
            <Cell className="min-w-40">
              {subscription.keys.length === 0 ? (
                <Badge tone="warning">None</Badge>
              ) : (
                subscription.keys.map((key) => (
                  <Code key={key} className="block">
                    {key}
                  </Code>
                ))
              )}
            </Cell>
            <Cell label="Next change" className="whitespace-nowrap">
              {subscription.nextChangeAt ? formatExactTime(subscription.nextChangeAt) : 'none'}
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function Charges({ charges }: { charges: ShownCharge[] }) {
  return (
    <Table caption="Charges, newest first">
      <TableHead>
        <HeaderCell>Charge</HeaderCell>
        <HeaderCell>Status</HeaderCell>
        <HeaderCell isNumeric>Amount</HeaderCell>
        <HeaderCell isNumeric>Refunded</HeaderCell>
        <HeaderCell>When, on the sandbox’s clock</HeaderCell>
        <HeaderCell>
          <span className="sr-only">Actions</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {charges.map((charge) => (
          <TableRow key={charge.id}>
            <Cell isWide className="min-w-52">
              <span className="wrap-anywhere block">{charge.customerEmail}</span>
              <Code className="text-muted-foreground">{charge.id}</Code>
            </Cell>
            <Cell>
              <Badge tone={TONES[charge.status] ?? 'neutral'}>{charge.status}</Badge>
            </Cell>
            <Cell isNumeric>
              <Money amount={charge.amount} currency={charge.currency} />
            </Cell>
            <Cell isNumeric label={charge.refunded > 0 ? 'Refunded' : undefined}>
              {charge.refunded > 0 && <Money amount={charge.refunded} currency={charge.currency} />}
            </Cell>
            <Cell>
              <Time value={charge.createdAt} />
            </Cell>
            <Cell>
              {charge.status === 'succeeded' && charge.refunded < charge.amount && <Refund charge={charge} />}
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function Refund({ charge }: { charge: ShownCharge }) {
  return (
    <form action={refundNow}>
      <input type="hidden" name="charge" value={charge.id} />
      <SubmitButton variant="secondary" size="small" pendingLabel="Refunding…">
        Refund<span className="sr-only"> the charge {charge.id}</span>
      </SubmitButton>
    </form>
  );
}
