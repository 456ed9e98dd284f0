/** What the shop sells. The name is the price's lookup key in Stripe; `npm run setup:stripe` creates what is missing there. */
export const PLANS = [
  { name: 'studio_monthly', title: 'Studio', amount: 1900, currency: 'usd', interval: 'month' },
  { name: 'studio_yearly', title: 'Studio', amount: 19000, currency: 'usd', interval: 'year' },
  { name: 'studio_lifetime', title: 'Studio for life', amount: 39900, currency: 'usd', interval: null },
  { name: 'studio_monthly_jpy', title: 'Studio', amount: 2800, currency: 'jpy', interval: 'month' },
] as const satisfies readonly PlanShape[];

type PlanShape = {
  name: string;
  title: string;
  /** In the currency's minor units: 1900 is USD 19.00, and 2800 is JPY 2800. */
  amount: number;
  currency: string;
  /** `null`: paid once. */
  interval: 'month' | 'year' | null;
};

export type Plan = (typeof PLANS)[number];
export type PlanName = Plan['name'];

/** The plan of that name, or `null`: names arrive from forms and URLs. */
export function findPlan(name: unknown): Plan | null {
  return PLANS.find((plan) => plan.name === name) ?? null;
}
