// The left side of Checkout: what is bought, what it costs today and later, and what changes the price.
import { count, formatDate, formatMoney } from '../../core/format';
import { Button, Money, TextField } from '../../core/ui';
import type { CheckoutView } from '../checkout/page';
import { CountryField } from './detail-fields';

type SummaryProps = { id: string; view: CheckoutView; appName: string };

export function OrderSummary({ id, view, appName }: SummaryProps) {
  const { currency } = view;
  const [first] = view.items;
  return (
    <section class="stack" aria-labelledby="order-title">
      {view.cancelUrl && (
        <p>
          <a href={view.cancelUrl} class="back">
            Cancel and go back
          </a>
        </p>
      )}
      <div>
        <h1 id="order-title" class="muted">
          {view.mode === 'payment' ? `Pay ${appName}` : `Subscribe to ${appName}`}
        </h1>
        <p class="price">
          {view.trialDays ? `${count(view.trialDays, 'day')} free` : <Money amount={view.due} currency={currency} />}
          {!view.trialDays && first?.interval && (
            <span> {view.due === recurringAmount(view) ? every(first) : 'today'}</span>
          )}
        </p>
        <Terms view={view} />
      </div>
      <ul class="stack tight">
        {view.items.map((item) => (
          <li class="between">
            <span>
              {item.description}
              {item.quantity > 1 && ` × ${item.quantity}`}
            </span>
            <span>
              <Money amount={item.amount} currency={currency} />
              {item.interval && <span class="muted"> {every(item)}</span>}
            </span>
          </li>
        ))}
      </ul>
      <dl class="totals">
        {(view.discount > 0 || view.taxes.length > 0) && (
          <AmountRow label="Subtotal" amount={view.subtotal} currency={currency} />
        )}
        {view.discount > 0 && (
          <AmountRow
            label={view.promotionCode ? `Discount (${view.promotionCode})` : 'Discount'}
            amount={-view.discount}
            currency={currency}
          />
        )}
        <TaxRows taxes={view.taxes} currency={currency} />
        {view.due !== view.total && (
          <AmountRow label="Applied balance" amount={view.due - view.total} currency={currency} />
        )}
        <AmountRow label="Total due today" amount={view.due} currency={currency} isTotal />
      </dl>
      {view.needsCountry && <CountryForm id={id} view={view} />}
      {view.allowsPromotionCodes && <PromotionForm id={id} view={view} />}
    </section>
  );
}

type AmountRowProps = { label: string; amount: number; currency: string; isTotal?: boolean };

/** A row of `dl.totals`. */
export const AmountRow = ({ label, amount, currency, isTotal = false }: AmountRowProps) => (
  <div class={isTotal ? 'total' : undefined}>
    <dt>{label}</dt>
    <dd>
      <Money amount={amount} currency={currency} />
    </dd>
  </div>
);

export const TaxRows = ({ taxes, currency }: Pick<CheckoutView, 'taxes' | 'currency'>) => (
  <>
    {taxes.map(({ label, amount, isIncluded }) => (
      <AmountRow label={isIncluded ? `${label}, included` : label} amount={amount} currency={currency} />
    ))}
  </>
);

const recurringAmount = ({ items }: CheckoutView): number =>
  items.reduce((sum, { amount, interval }) => sum + (interval === null ? 0 : amount), 0);

/** What the customer agrees to beyond today's payment. */
function Terms({ view }: { view: CheckoutView }) {
  const { mode, items, addsTax, trialEnd, currency } = view;
  if (mode === 'payment') return null;
  const first = items.find(({ interval }) => interval !== null);
  const tax = addsTax ? ' plus tax' : '';
  const priceOf = (amount: number) => `${formatMoney(amount, currency)} ${every(first)}${tax}`;
  const dateOf = (from: string) => formatDate(new Date(from));
  const [next, later] = view.renewals;
  if (!next) return null;
  return (
    <p class="muted">
      {trialEnd ? `Then ${priceOf(next.amount)}, starting ${dateOf(trialEnd)}` : `Renews at ${priceOf(next.amount)}`}
      {later && `, and ${trialEnd ? '' : 'at '}${priceOf(later.amount)} from ${dateOf(later.from)}`}. Cancel anytime.
    </p>
  );
}

type Interval = { interval: string | null; intervalCount: number | null };

/** "per month", "every 3 months" */
export function every({ interval, intervalCount }: Interval = { interval: null, intervalCount: null }): string {
  if (!interval) return '';
  return intervalCount && intervalCount > 1 ? `every ${intervalCount} ${interval}s` : `per ${interval}`;
}

/** Automatic tax depends on the country, so it is chosen before the payment. */
function CountryForm({ id, view }: Omit<SummaryProps, 'appName'>) {
  const problem = view.lastAttempt?.problem;
  return (
    <form method="post" action={`/stripe/checkout/${id}/country`} class="promotion">
      <CountryField value={view.country} error={problem?.field === 'country' ? problem.message : undefined} />
      <Button variant="secondary">Update tax</Button>
    </form>
  );
}

function PromotionForm({ id, view }: Omit<SummaryProps, 'appName'>) {
  const action = `/stripe/checkout/${id}/promotion`;
  const problem = view.lastAttempt?.problem;
  if (view.promotionCode) {
    return (
      <form method="post" action={action}>
        <input type="hidden" name="promotion_code" value="" />
        <Button variant="secondary">Remove {view.promotionCode}</Button>
      </form>
    );
  }
  return (
    <form method="post" action={action} class="promotion">
      <TextField
        id="promotion_code"
        name="promotion_code"
        label="Promotion code"
        autocomplete="off"
        value={view.lastAttempt?.promotion_code}
        error={problem?.field === 'promotion_code' ? problem.message : undefined}
      />
      <Button variant="secondary">Apply</Button>
    </form>
  );
}
