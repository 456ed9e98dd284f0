import type { Plan } from '@/lib/integration/plans';

/** When what a transfer paid for ends: a month or a year after the payment, in UTC; `null` for a plan for life. */
export function transferUntil(plan: Plan, paidAt: Date | null): Date | null {
  if (!paidAt || plan.interval === null) return null;
  const until = new Date(paidAt);
  if (plan.interval === 'month') until.setUTCMonth(until.getUTCMonth() + 1);
  else until.setUTCFullYear(until.getUTCFullYear() + 1);
  return until;
}
