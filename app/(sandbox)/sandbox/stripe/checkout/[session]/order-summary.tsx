import { Money } from '@/components/ui/money';
import type { CheckoutView } from '@/lib/sandbox/stripe/checkout/show-checkout';

/** What is bought, and what is due today. */
export function OrderSummary({ view }: { session: string; view: CheckoutView }) {
  const { currency } = view;
  return (
    <section aria-labelledby="order-title">
      <h1 id="order-title" className="font-semibold text-2xl">
        {view.mode === 'payment' ? 'Pay Larkdesk' : 'Subscribe to Larkdesk'}
      </h1>
      <ul className="mt-4 grid gap-3">
        {view.items.map((item) => (
          <li key={item.description} className="flex justify-between gap-4">
            <span>
              {item.description}
              {item.quantity > 1 && ` × ${item.quantity}`}
            </span>
            <span>
              <Money amount={item.amount} currency={currency} />
              {item.interval && ` per ${item.interval}`}
            </span>
          </li>
        ))}
      </ul>
      <dl className="mt-4 grid grid-cols-[1fr_max-content] gap-y-1 border-border border-t pt-4">
        {view.discount > 0 && (
          <>
            <dt className="text-muted-foreground">Discount{view.promotionCode && ` (${view.promotionCode})`}</dt>
            <dd>
              −<Money amount={view.discount} currency={currency} />
            </dd>
          </>
        )}
        <dt className="font-semibold">Due today</dt>
        <dd className="font-semibold">
          <Money amount={view.total} currency={currency} />
        </dd>
      </dl>
      {view.trialDays && (
        <p className="mt-2 text-muted-foreground">Free for {view.trialDays} days; the card is charged after that.</p>
      )}
    </section>
  );
}
