import { cx } from '@/components/ui/cx';
import { Money } from '@/components/ui/money';
import type { Plan } from '@/lib/integration/plans';

/** "$19.00 a month" */
export function PlanPrice({ plan, isSmall = false }: { plan: Plan; isSmall?: boolean }) {
  const { amount, currency, interval } = plan;
  return (
    <p>
      <Money amount={amount} currency={currency} className={cx(!isSmall && 'font-semibold text-3xl tracking-tight')} />{' '}
      <span className="text-muted-foreground">{interval ? `a ${interval}` : 'once'}</span>
    </p>
  );
}
