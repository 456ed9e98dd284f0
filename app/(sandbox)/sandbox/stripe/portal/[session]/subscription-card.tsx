import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Disclosure } from '@/components/ui/disclosure';
import { SelectField } from '@/components/ui/field';
import { formatMoney } from '@/components/ui/format-money';
import { Money } from '@/components/ui/money';
import { SubmitButton } from '@/components/ui/submit-button';
import type { PortalPrice, PortalView } from '@/lib/sandbox/stripe/portal/show-portal';
import { CardFields, TestCards } from '../../card-fields';

type Subscription = PortalView['subscriptions'][number];
type SubscriptionCardProps = { session: string; subscription: Subscription; notice: PortalView['notice'] };

/** One subscription and what its customer can do about it. */
export function SubscriptionCard({ session, subscription, notice }: SubscriptionCardProps) {
  const { price, method } = subscription;
  return (
    <Card id={subscription.id} title={price.name} description={<Terms subscription={subscription} />}>
      <div className="grid gap-6">
        <div className="flex flex-wrap gap-3">
          {subscription.endsAtPeriodEnd ? (
            <ActionForm session={session} subscription={subscription.id} action="resume">
              <SubmitButton>Keep the plan</SubmitButton>
            </ActionForm>
          ) : (
            <ActionForm session={session} subscription={subscription.id} action="cancel_at_period_end">
              <Button type="submit" variant="secondary">
                Cancel at the end of the period
              </Button>
            </ActionForm>
          )}
          <ActionForm session={session} subscription={subscription.id} action="cancel_now">
            <Button type="submit" variant="secondary">
              Cancel now
            </Button>
          </ActionForm>
        </div>
        {subscription.otherPrices.length > 0 && (
          <ActionForm session={session} subscription={subscription.id} action="change_plan">
            <div className="flex flex-wrap items-end gap-3">
              <SelectField id={`${subscription.id}-price`} name="price" label="Change to">
                {subscription.otherPrices.map((other) => (
                  <option key={other.id} value={other.id}>
                    {termsOf(other)}
                  </option>
                ))}
              </SelectField>
              <SubmitButton>Change plan</SubmitButton>
            </div>
          </ActionForm>
        )}
        <div>
          <p>{method ? `Paid with the ${method.kind} that ends in ${method.last4}.` : 'There is no card yet.'}</p>
          <CardForm session={session} subscription={subscription} notice={notice} />
        </div>
      </div>
    </Card>
  );
}

function Terms({ subscription: { price, status, periodEnd, endsAtPeriodEnd } }: { subscription: Subscription }) {
  const date = new Date(periodEnd).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const next = endsAtPeriodEnd
    ? `Ends on ${date}.`
    : status === 'trialing'
      ? `Free until ${date}.`
      : `Renews on ${date}.`;
  return (
    <>
      <Money amount={price.amount} currency={price.currency} /> per {price.interval}.{' '}
      {status === 'past_due' ? 'The last payment failed: give a new card to pay it.' : next}
    </>
  );
}

function CardForm({ session, subscription, notice }: SubscriptionCardProps) {
  const errorOf = (field: string) => (notice?.field === field ? notice.message : undefined);
  return (
    <Disclosure summary="Use another card">
      <ActionForm session={session} subscription={subscription.id} action="replace_card">
        <div className="grid max-w-md gap-4">
          <CardFields prefix={`${subscription.id}-`} errorOf={errorOf} />
          <SubmitButton>Save card</SubmitButton>
          <TestCards />
        </div>
      </ActionForm>
    </Disclosure>
  );
}

type ActionFormProps = { session: string; subscription: string; action: string; children: ReactNode };

/** Posts without JavaScript; the page comes back and says what happened. */
function ActionForm({ session, subscription, action, children }: ActionFormProps) {
  return (
    <form method="post" action={`/sandbox/stripe/portal/${session}/act`} noValidate>
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="subscription" value={subscription} />
      {children}
    </form>
  );
}

const termsOf = ({ name, amount, currency, interval }: PortalPrice): string =>
  `${name}, ${formatMoney(amount, currency)} per ${interval}`;
