import { Card } from '@/components/ui/card';
import { LinkButton } from '@/components/ui/link-button';
import type { Plan } from '@/lib/integration/plans';
import { PlanPrice, TrialNote } from '../../plan-price';

/** A new customer's next step: pay for the plan chosen before sign-up, or choose one. */
export function NextStep({ plan }: { plan: Plan | null }) {
  if (plan) {
    return (
      <Card title={`You chose ${plan.label}`} description="Continue to payment to start." className="max-w-xl">
        <PlanPrice price={plan} />
        <TrialNote plan={plan} />
        <LinkButton href={`/checkout?plan=${plan.name}`} className="mt-6">
          Continue to payment
        </LinkButton>
      </Card>
    );
  }
  return (
    <Card title="Choose a plan" description="Browse for free. Choose a plan to take bookings." className="max-w-xl">
      <LinkButton href="/account/plans">View plans</LinkButton>
    </Card>
  );
}
