/** How long to wait after the n-th attempt. The providers go on for days; here the last one is after about an hour. */
const DELAYS_SECONDS = [1, 3, 10, 30, 120, 600, 3600];

/** When to try again after `attemptCount` failed attempts, or null when it is time to give up. */
export function decideNextAttempt(attemptCount: number, now: Date): Date | null {
  const delay = DELAYS_SECONDS[attemptCount - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay * 1000);
}
