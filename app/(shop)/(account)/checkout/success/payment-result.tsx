import { Card } from '@/components/ui/card';
import { type Entitlement, isEntitled } from '@/lib/integration/stripe/entitlement';
import { LookAgain } from '../../look-again';
import { PlanCard } from '../../plan-card';

/** The paid plan or, until Stripe's event arrives, a note that the payment is being confirmed. Shows no earlier plan. */
export function PaymentResult({ entitlement }: { entitlement: Entitlement | null }) {
  return (
    // One element for both, so that screen readers announce the change.
    <div role="status">
      {entitlement && isEntitled(entitlement) ? <PlanCard entitlement={entitlement} /> : <Confirming />}
    </div>
  );
}

function Confirming() {
  return (
    <Card className="max-w-xl">
      <p className="font-medium">Your payment is being confirmed.</p>
      <p className="mt-1 text-muted-foreground">
        Your plan then appears here. Card payments take up to a minute, bank debits a few days.
        <LookAgain />
      </p>
    </Card>
  );
}
