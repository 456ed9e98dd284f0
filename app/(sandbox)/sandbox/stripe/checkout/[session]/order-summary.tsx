import { Fragment } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Money } from '@/components/ui/money';
import type { CheckoutView } from '@/lib/sandbox/stripe/checkout/show-checkout';

/** What is bought, what comes off, and what is due today. */
export function OrderSummary({ session, view }: { session: string; view: CheckoutView }) {
  const { currency } = view;
  return (
    <section aria-labelledby="order-title">
      <h1 id="order-title" className="font-semibold text-2xl tracking-tight">
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
        {view.taxes.map((tax) => (
          <Fragment key={tax.label}>
            <dt className="text-muted-foreground">
              {tax.label}
              {tax.isIncluded && ', included'}
            </dt>
            <dd className={tax.isIncluded ? 'text-muted-foreground' : undefined}>
              <Money amount={tax.amount} currency={currency} />
            </dd>
          </Fragment>
        ))}
        <dt className="font-semibold">Due today</dt>
        <dd className="font-semibold">
          <Money amount={view.total} currency={currency} />
        </dd>
      </dl>
      {view.trialDays && (
        <p className="mt-2 text-muted-foreground">Free for {view.trialDays} days; the card is charged after that.</p>
      )}
      {view.allowsPromotionCodes && <PromotionForm session={session} view={view} />}
    </section>
  );
}

function PromotionForm({ session, view }: { session: string; view: CheckoutView }) {
  const action = `/sandbox/stripe/checkout/${session}/promotion`;
  const problem = view.lastAttempt?.problem;
  if (view.promotionCode) {
    return (
      <form method="post" action={action} className="mt-4">
        <input type="hidden" name="promotion_code" value="" />
        <Button type="submit" variant="secondary">
          Remove {view.promotionCode}
        </Button>
      </form>
    );
  }
  return (
    <form method="post" action={action} className="mt-4 flex items-start gap-3">
      <TextField
        id="promotion_code"
        name="promotion_code"
        label="Promotion code"
        autoComplete="off"
        error={problem?.field === 'promotion_code' ? problem.message : undefined}
      />
      <Button type="submit" variant="secondary" className="mt-6.5">
        Apply
      </Button>
    </form>
  );
}
