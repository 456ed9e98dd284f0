import { Button } from '@/components/ui/button';
import type { Plan } from '@/lib/integration/plans';

/** Orders a plan by bank transfer. A further period of the current plan begins when the one before it ends. */
export function TransferForm({ plan, isExtension = false }: { plan: Plan; isExtension?: boolean }) {
  return (
    <form action="/api/bank-transfer" method="post" className={isExtension ? 'mt-6' : undefined}>
      <input type="hidden" name="plan" value={plan.name} />
      <Button type="submit" variant={isExtension ? 'secondary' : 'ghost'}>
        {isExtension ? 'Extend by bank transfer' : 'Pay by bank transfer'}
        <span className="sr-only"> for {plan.label}</span>
      </Button>
    </form>
  );
}
