import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { PLANS } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { BuyButtons } from '../../../buy-buttons';
import { PlanOffer } from '../../../plan-offer';
import { ManageBilling } from '../../manage-billing';

/** The plans for a customer who may have one: a subscriber changes it in the billing portal and is never charged twice. */
export function PlanList({ current }: { current: Pick<Entitlement, 'plan' | 'source'> | null }) {
  return (
    <div className="grid gap-4">
      {current?.source === 'subscription' && (
        <Callout tone="info" title="You have a subscription">
          Switch plans or cancel in the billing portal. Stripe credits the unused part of your current plan.
        </Callout>
      )}
      <div className="grid gap-x-4 gap-y-6 pt-3 md:grid-cols-2">
        {PLANS.map((plan) => {
          const isCurrent = current?.plan === plan.name;
          return (
            <PlanOffer
              key={plan.name}
              plan={plan}
              {...(isCurrent && { badge: <Badge tone="success">Current plan</Badge> })}
            >
              {current?.source === 'subscription' ? (
                <ManageBilling label={isCurrent ? 'Manage billing' : 'Change plan'} subject={plan.label} />
              ) : (
                !isCurrent && <BuyButtons plan={plan} />
              )}
            </PlanOffer>
          );
        })}
      </div>
    </div>
  );
}
