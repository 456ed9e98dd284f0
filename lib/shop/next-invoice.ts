import { findPlan, type Plan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';

/** `plan` at the price that the customer has; `null` if that is unknown, as in another currency than the price's first. */
type NextInvoice = { date: Date; plan: Plan | null };

/** The next invoice, or `null` if there is none: the plan was paid once, ends, or waits for a payment. */
export function nextInvoiceOf(entitlement: Entitlement): NextInvoice | null {
  const { status, renewsAt, price } = entitlement;
  const plan = findPlan(entitlement.plan);
  if (!renewsAt || !plan) return null;
  if (status !== 'active' && status !== 'trialing') return null;
  return { date: renewsAt, plan: price && { ...plan, ...price } };
}
