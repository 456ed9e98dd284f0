import { cx } from '@/components/ui/cx';
import { Money } from '@/components/ui/money';
import type { Plan } from '@/lib/integration/plans';
import type { Price } from '@/lib/shop/next-invoice';

/** The note about a plan's free trial, shown with its price. */
export const TrialNote = ({ plan: { trialDays } }: { plan: Plan }) =>
  trialDays ? (
    <p className="mt-2 text-muted-foreground">
      New customers try it free for {trialDays} {trialDays === 1 ? 'day' : 'days'}.
    </p>
  ) : null;

/** "$19.00 a month" */
export function PlanPrice({ price, isSmall = false }: { price: Price; isSmall?: boolean }) {
  const { amount, currency, interval } = price;
  return (
    <p>
      <Money amount={amount} currency={currency} className={cx(!isSmall && 'font-semibold text-3xl tracking-tight')} />{' '}
      <span className="text-muted-foreground">{interval ? `a ${interval}` : 'once'}</span>
    </p>
  );
}
