import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { findPlan, PLANS, type Plan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { BuyButtons } from '../../../buy-buttons';
import { PlanOffer } from '../../../plan-offer';
import { TransferForm } from '../../../transfer-form'; // part: demo
import { ManageBilling } from '../../manage-billing';

type Current = Pick<Entitlement, 'plan' | 'source' | 'endsAt'> | null;

/** The plans for a customer who may have one: subscribers switch in the billing portal, so that they are not charged twice. */
export function PlanList({ current }: { current: Current }) {
  return (
    <div className="grid gap-4">
      {current?.source === 'subscription' && (
        <Callout tone="info" title="You have a subscription">
          Switch plans or cancel in the billing portal. Stripe credits the unused part of your current plan.
        </Callout>
      )}
      <div className="grid gap-x-4 gap-y-6 pt-3 md:grid-cols-2">
        {PLANS.map((plan) => (
          <PlanOffer
            key={plan.name}
            plan={plan}
            {...(current && { badge: current.plan === plan.name ? <Badge tone="success">Current plan</Badge> : null })}
          >
            <PlanAction plan={plan} current={current} />
          </PlanOffer>
        ))}
      </div>
    </div>
  );
}

/** The portal can neither sell a one-time plan nor change the currency of a subscription. */
function PlanAction({ plan, current }: { plan: Plan; current: Current }) {
  const isCurrent = current?.plan === plan.name;
  // part: demo
  if (isCurrent && current.source === 'grant' && plan.interval) return <TransferForm plan={plan} isExtension />;
  // end: demo
  if (current?.source !== 'subscription') return isCurrent ? null : <BuyButtons plan={plan} />;
  if (isCurrent) return <ManageBilling label="Manage billing" subject={plan.label} />;
  if (plan.interval === null) {
    return (
      <>
        <BuyButtons plan={plan} />
        {!current.endsAt && <Note>Your subscription continues until you cancel it.</Note>}
      </>
    );
  }
  if (plan.currency !== findPlan(current.plan)?.currency) {
    return (
      <Note>
        Billed in another currency.{' '}
        {current.endsAt
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
