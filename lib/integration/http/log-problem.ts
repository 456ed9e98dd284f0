import 'server-only';

/** Logs what failed by its name and the provider's request ID. A provider's message may quote what a customer typed. */
export function logProblem(what: string, error: unknown): void {
  const { name = 'unknown', requestId = 'none' } = error as { name?: string; requestId?: string };
  console.error(`${what} failed: ${name}, request ${requestId}`);
}
