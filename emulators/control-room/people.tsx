// Clerk's users, and Stripe's subscriptions and charges.
import type { Child } from 'hono/jsx';
import type { Profile } from '../core/profile';
import { findProviderIds } from '../core/trace-ids';
import { Badge, Button, Card, Disclosure, Money, Table, Time } from '../core/ui';
import { isDecided } from '../stripe/billing/disputes';
import { StatusBadge } from '../stripe/pages/status-badge';
import { LISTED_CARDS } from '../stripe/test-cards';
import { ControlRoomPage, noticeOf } from './layout';
import { IdLink } from './linked';
import { NewestRows } from './lists';
import type { Newest, ShownCharge, ShownPayments, ShownSubscription, ShownUser } from './read';
import { linkTo, type Room } from './room';

/** The customer with a link to their control room, and the ID of their object. */
const Identity = ({ email, id }: { email: string | null; id: string }) => (
  <>
    <span class="cut">{email ? <a href={linkTo('/simulate', email.toLowerCase())}>{email}</a> : 'No email'}</span>
    <span class="muted">
      <code>
        <IdLink value={id} />
      </code>
    </span>
  </>
);

type MetadataProps = { value: Record<string, unknown>; empty: Child; profile: Profile };

/** Names and values; those that are IDs lead to what else carries them. */
const Metadata = ({ value, empty, profile }: MetadataProps) => {
  const entries = Object.entries(value);
  if (entries.length === 0) return empty;
  return (
    <ul>
      {entries.map(([key, content]) => {
        const text = typeof content === 'string' ? content : JSON.stringify(content);
        return (
          <li>
            <code>
              {`${key}: `}
              {isId(key, text, profile) ? <IdLink value={text} /> : text}
            </code>
          </li>
        );
      })}
    </ul>
  );
};

const isId = (key: string, text: string, { ids }: Profile): boolean =>
  ids.some(({ fields }) => fields.includes(key)) || findProviderIds(text)[0] === text;

export const UsersPage = ({ room, users }: { room: Room; users: Newest<ShownUser> }) => (
  <ControlRoomPage
    room={room}
    title="Users"
    scripts={['trace']}
    description="Clerk’s users, newest first. What the app stores in unsafe_metadata at sign-up is part of the user.created event."
  >
    <section class="card" aria-label="Users">
      <NewestRows noun="user" room={room} list={users} hint="Any email works. If a code is requested, enter 424242.">
        <Table caption="Users, newest first" columns={['User', 'unsafe_metadata', 'Signed up']}>
          {users.rows.map((user) => (
            <tr data-key={user.id}>
              <th scope="row" class="whole">
                <Identity email={user.email} id={user.id} />
              </th>
              <td class="metadata">
                <Metadata value={user.metadata} empty={<Badge>Empty</Badge>} profile={room.emulator.config.profile} />
              </td>
              <td class="small">
                <Time value={user.createdAt} precision="minute" />
              </td>
            </tr>
          ))}
        </Table>
      </NewestRows>
    </section>
  </ControlRoomPage>
);

export const PaymentsPage = ({ room, payments }: { room: Room; payments: ShownPayments }) => (
  <ControlRoomPage
    room={room}
    title="Payments"
    scripts={['trace']}
    description="Stripe’s subscriptions and charges, newest first. Renewals carry the subscription’s metadata, not the checkout session’s."
  >
    <Card id="subscriptions" title="Subscriptions">
      <Subscriptions room={room} subscriptions={payments.subscriptions} />
    </Card>
    <Card id="charges" title="Charges">
      <Charges room={room} charges={payments.charges} />
    </Card>
    <TestNumbers />
  </ControlRoomPage>
);

type SubscriptionsProps = { room: Room; subscriptions: Newest<ShownSubscription> };

const Subscriptions = ({ room, subscriptions }: SubscriptionsProps) => (
  <NewestRows
    noun="subscription"
    room={room}
    list={subscriptions}
    hint="Pay with 4242 4242 4242 4242, any future expiry date and any CVC."
  >
    <Table
      caption="Subscriptions, newest first"
      columns={['Subscription', 'Status', 'Metadata', 'Next change']}
      secondary="Next change"
    >
      {subscriptions.rows.map((subscription) => (
        <tr data-key={subscription.id}>
          <th scope="row" class="whole">
            <Identity email={subscription.email} id={subscription.id} />
          </th>
          <td>
            <StatusBadge status={subscription.status} />
          </td>
          <td class="metadata">
            <Metadata
              value={subscription.metadata}
              empty={<Badge tone="warning">Empty</Badge>}
              profile={room.emulator.config.profile}
            />
          </td>
          <td class="small secondary" data-label="Next change">
            {subscription.nextChangeAt ? <Time value={subscription.nextChangeAt} precision="minute" /> : 'None'}
          </td>
        </tr>
      ))}
    </Table>
  </NewestRows>
);

type ChargesProps = { room: Room; charges: Newest<ShownCharge> };

const Charges = ({ room, charges }: ChargesProps) => (
  <NewestRows noun="charge" room={room} list={charges} hint="Payments and declined attempts appear here.">
    <Table
      caption="Charges, newest first"
      secondary="Emulator time"
      numeric={['Amount', 'Refunded']}
      columns={['Charge', 'Status', 'Amount', 'Refunded', 'Emulator time', <span class="sr-only">Actions</span>]}
    >
      {charges.rows.map((charge) => (
        <tr id={charge.id} tabindex={-1} aria-describedby={noticeOf(room)} data-key={charge.id}>
          <th scope="row" class="whole">
            <Identity email={charge.email} id={charge.id} />
          </th>
          <td>
            <StatusBadge status={charge.status} /> {charge.dispute && <DisputeStatus status={charge.dispute.status} />}
          </td>
          <td class="numeric">
            <Money amount={charge.amount} currency={charge.currency} />
          </td>
          <td class="numeric" data-label={charge.refunded > 0 ? 'Refunded' : undefined}>
            {charge.refunded > 0 && <Money amount={charge.refunded} currency={charge.currency} />}
          </td>
          <td class="small secondary">
            <Time value={charge.createdAt} precision="minute" />
          </td>
          <td>
            <ChargeActions charge={charge} />
          </td>
        </tr>
      ))}
    </Table>
  </NewestRows>
);

const DisputeStatus = ({ status }: { status: string }) =>
  isDecided(status) ? (
    <Badge tone={status === 'won' ? 'success' : 'danger'}>Dispute {status}</Badge>
  ) : (
    <Badge tone="warning">Disputed</Badge>
  );

/** What is possible with it: Stripe refunds no charge that was disputed. */
const ChargeActions = ({ charge }: { charge: ShownCharge }) => {
  const { status, dispute, refunded, amount } = charge;
  if (dispute) return isDecided(dispute.status) ? null : <Decision charge={charge.id} dispute={dispute.id} />;
  return status === 'succeeded' && refunded < amount ? <Refund charge={charge} /> : null;
};

const Decision = ({ charge, dispute }: { charge: string; dispute: string }) => (
  <form method="post" action="/actions/dispute" class="row">
    <input type="hidden" name="charge" value={charge} />
    <input type="hidden" name="dispute" value={dispute} />
    {['won', 'lost'].map((outcome) => (
      <Button variant="secondary" size="small" name="outcome" value={outcome}>
        {outcome === 'won' ? 'Win' : 'Lose'}
        <span class="sr-only"> the dispute {dispute}</span>
      </Button>
    ))}
  </form>
);

const Refund = ({ charge }: { charge: ShownCharge }) => (
  <form method="post" action="/actions/refund">
    <input type="hidden" name="charge" value={charge.id} />
    <Button variant="secondary" size="small">
      Refund<span class="sr-only"> the charge {charge.id}</span>
    </Button>
  </form>
);

const TestNumbers = () => (
  <Disclosure summary="Test cards">
    <ul class="stack tight small">
      {LISTED_CARDS.map(([number, effect]) => (
        <li>
          <code>{number}</code> {effect}.
        </li>
      ))}
      <li>A bank debit is paid four days of emulator time after the checkout.</li>
    </ul>
  </Disclosure>
);
