import { findPlan, type Plan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';

/** What a period costs, in minor units. */
export type Price = Pick<Plan, 'interval'> & NonNullable<Entitlement['price']>;

/** At the price that the customer has; `null` if that is unknown, as in another currency than the price's first. */
type NextInvoice = { date: Date; price: Price | null };

/** The next invoice, or `null` if there is none: the plan was paid once, ends, or waits for a payment. */
export function nextInvoiceOf(entitlement: Entitlement): NextInvoice | null {
  const { status, renewsAt, price } = entitlement;
  const plan = findPlan(entitlement.plan);
  if (!renewsAt || !plan) return null;
  if (status !== 'active' && status !== 'trialing') return null;
  return { date: renewsAt, price: price && { interval: plan.interval, ...price } };
}
