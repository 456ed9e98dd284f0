import { Money } from '@/components/ui/money';
import type { Plan } from '@/lib/integration/plans';

/** "$19.00 a month" */
export function PlanPrice({ plan }: { plan: Plan }) {
  return (
    <p>
      <Money amount={plan.amount} currency={plan.currency} className="font-semibold text-3xl tracking-tight" />{' '}
      <span className="text-muted-foreground">{plan.interval ? `a ${plan.interval}` : 'once'}</span>
    </p>
  );
}
