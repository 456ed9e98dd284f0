/** `path` with the name of the plan from the visitor's address. It is encoded, so it leads nowhere else; the pages that use it check it. */
export const pathWithPlan = (path: string, planName: string | null): string =>
  planName ? `${path}?plan=${encodeURIComponent(planName)}` : path;
