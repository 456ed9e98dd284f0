import { Callout } from '@/components/ui/callout';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { ManageBilling } from '../manage-billing';
import { PlanCard } from '../plan-card';

type AccountPlanProps = {
  entitlement: Entitlement | null;
  /** Whether the user is a Stripe customer: they may have a subscription besides the plan shown. */
  hasBilling: boolean;
  /** Whether the billing portal could not be opened. */
  hasProblem: boolean;
};

/** The customer's plan, or how to get one. */
export function AccountPlan({ entitlement, hasBilling, hasProblem }: AccountPlanProps) {
  const billing = hasBilling && <ManageBilling />;
  return (
    <>
      {hasProblem && (
        <Callout tone="danger" title="Billing could not be opened" role="alert">
          Nothing has changed. Please try again in a moment.
        </Callout>
      )}
      {entitlement ? (
        <PlanCard entitlement={entitlement}>{billing}</PlanCard>
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
