import { findPlan, type Plan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';

/** `plan` at the price that the customer has. */
export type NextInvoice = { date: Date; plan: Plan };

/** The next invoice, or `null` if there is none: the plan was paid once, ends, or waits for a payment. */
export function nextInvoiceOf(entitlement: Entitlement): NextInvoice | null {
  const { status, renewsAt, price } = entitlement;
  const plan = findPlan(entitlement.plan);
  if (!renewsAt || !plan) return null;
  return status === 'active' || status === 'trialing' ? { date: renewsAt, plan: { ...plan, ...price } } : null;
}
