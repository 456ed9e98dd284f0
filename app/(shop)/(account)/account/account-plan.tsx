import { Callout } from '@/components/ui/callout';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { ManageBilling } from '../manage-billing';
import { PlanCard } from '../plan-card';

type AccountPlanProps = {
  entitlement: Entitlement | null;
  /** One that charges, or can charge again: the plan shown, or one besides it. */
  subscription: Entitlement | null;
  /** Whether the user is a Stripe customer: their billing may have more than the plan shown. */
  hasBilling: boolean;
  /** Why the billing portal was not opened: a failure, or a session that had to be renewed first. */
  unopened: 'failed' | 'renewed' | null;
};

/** The customer's plan, or how to get one. */
export function AccountPlan({ entitlement, subscription, hasBilling, unopened }: AccountPlanProps) {
  const billing = hasBilling && <ManageBilling />;
  return (
    <>
      {unopened === 'failed' && (
        <Callout tone="danger" title="Billing could not be opened" role="alert">
          Nothing has changed. Please try again in a moment.
        </Callout>
      )}
      {unopened === 'renewed' && (
        <Callout title="Open billing again" role="alert">
          Your session was renewed. Choose “Manage billing” to continue.
        </Callout>
      )}
      {entitlement ? (
        <>
          {subscription?.renewsAt && subscription !== entitlement && <PlanCard entitlement={subscription} />}
          <PlanCard entitlement={entitlement}>{billing}</PlanCard>
        </>
      ) : (
        <>
          <Empty title="No plan yet" action={<LinkButton href="/account/plans">View plans</LinkButton>}>
            Browse for free. Choose a plan to take bookings.
          </Empty>
          {billing}
        </>
      )}
    </>
  );
}
