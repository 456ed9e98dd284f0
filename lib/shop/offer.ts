import { findPlan, type Plan } from '@/lib/integration/plans';
import type { Entitlement } from './entitlement';

/** Whether the customer may use the plan now, also while a payment is retried. */
export const isEntitled = ({ status }: Pick<Entitlement, 'status'>): boolean =>
  status === 'active' || status === 'trialing' || status === 'past_due';

/** `plan` at the price that the customer has. */
export type NextInvoice = { date: Date; plan: Plan };

/** The invoice that comes next, or `null` where none does: a plan that was paid once, ends, or waits for a payment. */
export function nextInvoiceOf(entitlement: Entitlement): NextInvoice | null {
  const { source, status, until, isEnding, price } = entitlement;
  const plan = findPlan(entitlement.plan);
  if (source !== 'subscription' || isEnding || !until || !plan) return null;
  return status === 'active' || status === 'trialing' ? { date: until, plan: { ...plan, ...price } } : null;
}
