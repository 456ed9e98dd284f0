/** `path` with the name of the plan from the visitor's address, encoded. The page at `path` checks it: any text may be in an address. */
export const pathWithPlan = (path: string, planName: string | null): string =>
  planName ? `${path}?plan=${encodeURIComponent(planName)}` : path;
