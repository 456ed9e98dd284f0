import type { Verdict } from './decide-delivery';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Reports older than this are dead letters: visible, and sent again by hand. */
const LIFETIME = 7 * DAY;
/** Short enough that with the interval of the drain an outage is over for everyone a minute after it ends. */
const LONGEST_WAIT_IN_FIRST_HOUR = 45 * SECOND;
const LONGEST_WAIT = 15 * MINUTE;

/** How a report stands after an attempt; `dueAt` only counts while it is pending. */
export type NextAttempt = { state: Verdict['state']; dueAt: Date; reason: string };

export type Attempt = {
  queuedAt: Date;
  /** Attempts made so far, this one included. */
  attempts: number;
  now: Date;
  /** From 0 to below 1. Full jitter: a thousand reports that failed together do not come back together. */
  random: number;
};

/** When to try again, if at all. */
export function decideNextAttempt(verdict: Verdict, attempt: Attempt): NextAttempt {
  const { now, queuedAt } = attempt;
  if (verdict.state !== 'pending') return { state: verdict.state, dueAt: now, reason: verdict.reason };
  if (now.getTime() - queuedAt.getTime() >= LIFETIME) {
    return { state: 'dead', dueAt: now, reason: `given up after 7 days: ${verdict.reason}` };
  }
  return { state: 'pending', dueAt: new Date(now.getTime() + waitOf(verdict, attempt)), reason: verdict.reason };
}

function waitOf(verdict: Extract<Verdict, { state: 'pending' }>, attempt: Attempt): number {
  if ('afterSeconds' in verdict) return verdict.afterSeconds * SECOND;
  if (verdict.pace === 'slow') return LONGEST_WAIT * (0.5 + attempt.random / 2);
  const isFirstHour = attempt.now.getTime() - attempt.queuedAt.getTime() < HOUR;
  const longest = isFirstHour ? LONGEST_WAIT_IN_FIRST_HOUR : LONGEST_WAIT;
  return attempt.random * Math.min(SECOND * 2 ** attempt.attempts, longest);
}
