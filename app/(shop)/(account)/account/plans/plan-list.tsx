import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { findPlan, PLANS, type Plan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { BuyButtons } from '../../../buy-buttons';
import { PlanOffer } from '../../../plan-offer';
import { TransferForm } from '../../../transfer-form'; // part: demo
import { ManageBilling } from '../../manage-billing';

type PlanListProps = {
  /** The plan that the customer has. */
  current: Pick<Entitlement, 'plan' | 'source'> | null;
  /** One that charges, or can charge again: the current plan, or one besides it. */
  subscription: Pick<Entitlement, 'plan' | 'endsAt'> | null;
};

/** The plans for a customer who may have one: subscribers switch in the billing portal, so that they are not charged twice. */
export function PlanList({ current, subscription }: PlanListProps) {
  return (
    <div className="grid gap-4">
      {subscription && (
        <Callout title="You have a subscription">
          Switch plans or cancel in the billing portal. When you switch, the unused part of what you paid is credited.
        </Callout>
      )}
      <div className="grid gap-x-4 gap-y-6 pt-3 md:grid-cols-2">
        {PLANS.map((plan) => (
          <PlanOffer
            key={plan.name}
            plan={plan}
            {...(current && { badge: current.plan === plan.name ? <Badge tone="success">Current plan</Badge> : null })}
          >
            <PlanAction plan={plan} current={current} subscription={subscription} />
          </PlanOffer>
        ))}
      </div>
    </div>
  );
}

/** The portal can neither sell a one-time plan nor change the currency of a subscription. */
function PlanAction({ plan, current, subscription }: PlanListProps & { plan: Plan }) {
  if (subscription?.plan === plan.name) return <ManageBilling subject={plan.label} />;
  const isCurrent = current?.plan === plan.name;
  // part: demo
  const isExtensible = isCurrent && current.source === 'grant' && plan.interval !== null;
  if (isExtensible && !subscription) return <TransferForm plan={plan} isExtension />;
  // end: demo
  if (isCurrent) return null;
  if (!subscription) return <BuyButtons plan={plan} />;
  if (plan.interval === null) {
    return (
      <>
        <BuyButtons plan={plan} />
        {!subscription.endsAt && <Note>Your subscription continues until you cancel it.</Note>}
      </>
    );
  }
  if (plan.currency !== findPlan(subscription.plan)?.currency) {
    return (
      <Note>
        Billed in another currency.{' '}
        {subscription.endsAt
          ? 'You can choose this plan once your subscription has ended.'
          : 'Cancel your subscription before you choose this plan.'}
      </Note>
    );
  }
  return <ManageBilling label="Change plan" subject={plan.label} />;
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="mt-4 text-muted-foreground text-sm">{children}</p>
);
