import { findPlan } from '@/lib/integration/plans';

/** `path` with the plan that a visitor has chosen. Anything else in the address bar is dropped, so it leads nowhere. */
export function pathWithPlan(path: string, planName: unknown): string {
  const plan = findPlan(planName);
  return plan ? `${path}?plan=${plan.name}` : path;
}
