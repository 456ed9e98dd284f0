import { findPlan } from '@/lib/integration/plans';

/** `path` with the visitor's chosen plan. Anything else in the URL is dropped, so it cannot redirect elsewhere. */
export function pathWithPlan(path: string, planName: unknown): string {
  const plan = findPlan(planName);
  return plan ? `${path}?plan=${plan.name}` : path;
}
