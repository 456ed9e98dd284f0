// The billing portal: what the customer can change about a subscription, and the invoices.
import type { PropsWithChildren } from 'hono/jsx';
import { formatDate, formatMoney } from '../../core/format';
import { Button, Callout, Card, Disclosure, Empty, LinkButton, Money, SelectField, Table, Time } from '../../core/ui';
import type { PortalPrice, PortalView } from '../portal';
import { CardFields, TestCards } from './card-fields';
import { HostedPage } from './checkout';
import { every } from './order-summary';
import { StatusBadge } from './status-badge';

type Subscription = PortalView['subscriptions'][number];
type PortalProps = { id: string; view: PortalView; appName: string };

export const PortalPage = ({ id, view, appName }: PortalProps) => (
  <HostedPage title="Billing portal" part="billing portal">
    <div>
      <PortalBack view={view} appName={appName} />
      <h1>Your billing with {appName}</h1>
      <p class="muted">{view.email}</p>
    </div>
    {view.notice && (
      <Callout tone={view.notice.tone} role={view.notice.tone === 'danger' ? 'alert' : 'status'}>
        <p>{view.notice.message}</p>
      </Callout>
    )}
    {view.subscriptions.length === 0 && <Empty title="No subscription">You have no subscription to renew.</Empty>}
    {view.subscriptions.map((subscription, index) => (
      <SubscriptionCard id={id} subscription={subscription} view={view} title={titleOf(view, index)} />
    ))}
    <Invoices invoices={view.invoices} />
  </HostedPage>
);

export const PortalBack = ({ view: { returnUrl }, appName }: Omit<PortalProps, 'id'>) =>
  returnUrl && (
    <p>
      <a href={returnUrl} class="back">
        Return to {appName}
      </a>
    </p>
  );

/** The product's name, with a number if a customer has several subscriptions to it. */
function titleOf({ subscriptions }: PortalView, index: number): string {
  const name = subscriptions[index]?.price.name ?? '';
  const isUnique = subscriptions.filter(({ price }) => price.name === name).length === 1;
  return isUnique ? name : `${name} (${index + 1})`;
}

type SubscriptionCardProps = Omit<PortalProps, 'appName'> & { subscription: Subscription };

function SubscriptionCard({ id, subscription, view, title }: SubscriptionCardProps & { title: string }) {
  const { status, otherPrices } = subscription;
  return (
    <Card
      id={subscription.id}
      title={title}
      description={<Terms subscription={subscription} />}
      aside={<StatusBadge status={status} />}
    >
      <div class="stack">
        <PaymentMethod id={id} subscription={subscription} view={view} />
        {view.allows.changePlan && otherPrices.length > 0 && (
          <ActionForm id={id} subscription={subscription.id} action="change_plan">
            <div class="row end">
              <SelectField id={`${subscription.id}-price`} name="price" label="Change to">
                {otherPrices.map((other) => (
                  <option value={other.id}>{`${other.name}, ${priceOf(other)}`}</option>
                ))}
              </SelectField>
              <Button variant="secondary">Change plan</Button>
            </div>
          </ActionForm>
        )}
        {view.allows.cancel && <Cancellation id={id} subscription={subscription} view={view} />}
      </div>
    </Card>
  );
}

const Cancellation = ({ id, subscription: { id: subscription, endsAt }, view }: SubscriptionCardProps) => (
  <div class="row">
    {endsAt ? (
      <ActionForm id={id} subscription={subscription} action="resume">
        <Button>Keep the plan</Button>
      </ActionForm>
    ) : (
      view.allows.cancelAtPeriodEnd && (
        <ActionForm id={id} subscription={subscription} action="cancel_at_period_end">
          <Button variant="secondary">Cancel at the end of the period</Button>
        </ActionForm>
      )
    )}
    <LinkButton variant="danger" href={`/stripe/portal/${id}/cancel?subscription=${subscription}`}>
      Cancel now
    </LinkButton>
  </div>
);

function Terms({ subscription: { price, quantity, status, periodEnd, endsAt } }: { subscription: Subscription }) {
  const date = <Time value={new Date(endsAt ?? periodEnd)} />;
  const verb = endsAt ? 'Ends on' : status === 'trialing' ? 'Free until' : 'Renews on';
  return (
    <>
      {quantity > 1 && `${quantity} × `}
      {priceOf(price)}.{' '}
      {status === 'past_due' ? (
        'The last payment failed. Use another card to pay it.'
      ) : (
        <>
          {verb} {date}.
        </>
      )}
    </>
  );
}

function PaymentMethod({ id, subscription: { id: subscription, method }, view }: SubscriptionCardProps) {
  const notice = view.notice?.subscription === subscription ? view.notice : null;
  const errorOf = (field: string) => (notice?.field === field ? notice.message : undefined);
  return (
    <div>
      <p>{method ? `${describeKind(method.kind)} •••• ${method.last4}` : 'No payment method'}</p>
      {view.allows.replaceCard && (
        <Disclosure summary="Use another card" isOpen={Boolean(notice?.field)}>
          <ActionForm id={id} subscription={subscription} action="replace_card">
            <div class="stack half">
              <CardFields prefix={`${subscription}-`} typed={notice?.typed} errorOf={errorOf} />
              <Button>Save card</Button>
              <TestCards />
            </div>
          </ActionForm>
        </Disclosure>
      )}
    </div>
  );
}

type ActionFormProps = PropsWithChildren<{ id: string; subscription: string; action: string }>;

/** Works without JavaScript; the page reloads and says what happened. */
export const ActionForm = ({ id, subscription, action, children }: ActionFormProps) => (
  <form method="post" action={`/stripe/portal/${id}/act`} novalidate data-card-form>
    <input type="hidden" name="action" value={action} />
    <input type="hidden" name="subscription" value={subscription} />
    {children}
    <p role="status" class="muted" data-status />
  </form>
);

function Invoices({ invoices }: Pick<PortalView, 'invoices'>) {
  if (invoices.length === 0) return null;
  return (
    <Card id="invoices" title="Invoices">
      <Table caption="Invoices, newest first" columns={['Date', 'Number', 'Amount', 'Status']} numeric={['Amount']}>
        {invoices.map((invoice) => (
          <tr>
            <td>
              <Time value={new Date(invoice.createdAt)} />
            </td>
            <td class="muted">{invoice.number}</td>
            <td class="numeric">
              <Money amount={invoice.total} currency={invoice.currency} />
            </td>
            <td>
              <StatusBadge status={invoice.status} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

type CancelProps = { id: string; subscription: Subscription; appName: string };

/** The confirmation step before an action that cannot be undone. */
export const CancelPage = ({ id, subscription, appName }: CancelProps) => (
  <HostedPage title="Cancel subscription" part="billing portal">
    <div class="stack half">
      <h1>Cancel {subscription.price.name} now?</h1>
      <p>
        Your subscription with {appName} ends at once and cannot be resumed. {whatRemains(subscription)}
      </p>
      <ActionForm id={id} subscription={subscription.id} action="cancel_now">
        <div class="row">
          <Button variant="danger">Cancel subscription</Button>
          <LinkButton href={`/stripe/portal/${id}`}>Keep subscription</LinkButton>
        </div>
      </ActionForm>
    </div>
  </HostedPage>
);

/** What the customer gives away by canceling at once: nothing, if the last payment failed. */
function whatRemains({ status, periodEnd, endsAt }: Subscription): string {
  const date = formatDate(new Date(endsAt ?? periodEnd));
  if (endsAt) return `It is canceled already, and stays active until ${date}.`;
  if (status !== 'trialing' && status !== 'active') return '';
  const terms = status === 'trialing' ? 'Its trial is free until' : 'It is paid until';
  return `${terms} ${date}; canceled at the end of the period, it stays active until then.`;
}

export const priceOf = (price: PortalPrice): string => `${formatMoney(price.amount, price.currency)} ${every(price)}`;

/** "visa" is shown as "Visa". */
const describeKind = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);
