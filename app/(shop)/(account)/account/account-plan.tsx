import { Callout } from '@/components/ui/callout';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { ManageBilling } from '../manage-billing';
import { PlanCard } from '../plan-card';

/** The customer's plan, or how to get one. `hasProblem`: the billing portal could not be opened. */
export function AccountPlan({ entitlement, hasProblem }: { entitlement: Entitlement | null; hasProblem: boolean }) {
  return (
    <>
      {hasProblem && (
        <Callout tone="danger" title="Billing could not be opened" role="alert">
          Nothing has changed. Please try again in a moment.
        </Callout>
      )}
      {entitlement ? (
        <PlanCard entitlement={entitlement}>{entitlement.source !== 'other' && <ManageBilling />}</PlanCard>
      ) : (
        <Empty title="No plan yet" action={<LinkButton href="/account/plans">View plans</LinkButton>}>
          Browse for free. Choose a plan to take bookings.
        </Empty>
      )}
    </>
  );
}
