// What you sell. Change in your app: the plans. The name is the price's lookup key in Stripe.
// Create the price in Stripe's dashboard, also with the metadata `plan`: a lookup key moves when the price changes.
// What is charged is Stripe's price: `label`, `product`, `amount` and `currency` are for your own pages.
// Keep a plan here while customers have it. The billing portal offers one price of a product for each billing interval: each tier and
// currency needs its own product.
export const PLANS = [
  {
    name: 'pro_monthly',
    label: 'Pro monthly',
    product: 'Acme Pro',
    amount: 1900,
    currency: 'usd',
    interval: 'month',
  },
] as const satisfies readonly Plan[];

export type PlanName = (typeof PLANS)[number]['name'];

export type Plan = {
  name: string;
  label: string;
  product: string;
  /** In the currency's minor units: 1900 is USD 19.00, and 2800 is JPY 2,800. */
  amount: number;
  /** In lower case, as in Stripe: `usd`. */
  currency: Lowercase<string>;
} & (
  | { interval: 'month' | 'year'; trialDays?: number }
  /** Paid once. */
  | { interval: null; trialDays?: never }
);

/** The plan of that name, or `null`: names arrive from forms and URLs. */
export function findPlan(name: unknown): Plan | null {
  return PLANS.find((plan) => plan.name === name) ?? null;
}
