// What you sell. Change in your app: the plans. The name is the price's lookup key in Stripe.
// `npm run setup` creates missing and changed ones there. Keep a plan here while customers have it. Each tier and currency has its own
// product: the billing portal offers one price of a product for each billing interval, and the first ten products, Stripe's limits.
export const PLANS = [
  {
    name: 'studio_monthly',
    label: 'Studio monthly',
    product: 'Larkdesk Studio',
    amount: 1900,
    currency: 'usd',
    interval: 'month',
  },
  {
    name: 'studio_yearly',
    label: 'Studio yearly',
    product: 'Larkdesk Studio',
    amount: 19000,
    currency: 'usd',
    interval: 'year',
    trialDays: 14,
  },
  {
    name: 'studio_lifetime',
    label: 'Studio lifetime',
    product: 'Larkdesk Studio lifetime',
    amount: 39900,
    currency: 'usd',
    interval: null,
  },
  {
    name: 'studio_monthly_jpy',
    label: 'Studio monthly in yen',
    product: 'Larkdesk Studio Japan',
    amount: 2800,
    currency: 'jpy',
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
