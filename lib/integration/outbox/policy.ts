// What happens to a report after an attempt. It decides and does nothing else: no clock, no database, no variables.
// Change in your app: nothing; docs/decisions/0014 has the table.
import type { Report } from './report';

/** The result of one call: the service's response, or why there was none. */
export type SendResult =
  | { status: number; code?: string | undefined; provisional?: boolean; retryAfterSeconds?: number | undefined }
  | { status: null; reason: string };

export type Decision =
  | { state: 'done' | 'skipped' | 'dead'; reason: string }
  | { state: 'pending'; reason: string; pace: 'normal' | 'slow' }
  | { state: 'pending'; reason: string; afterSeconds: number };

/** Send this report at once, within the same attempt. */
export type Again = { state: 'again'; report: Report };

/** The code of a click ID that is invented, expired or another program's. Visitors can set one, so by itself it is no alarm. */
export const UNKNOWN_CLICK = 'unknown_click';

/** What a service says that knows the contract only, which has no erasure. */
const NO_SUCH_CALL = [404, 405, 501];

/** Which results complete a report, and which ones keep it for another attempt. Statuses decide; a code, where there is one, says which refusal it is. */
export function decideDelivery(report: Report, result: SendResult): Decision | Again {
  if (result.status === null) return { state: 'pending', pace: 'normal', reason: result.reason };
  const { status } = result;
  if (result.provisional) return { state: 'pending', pace: 'slow', reason: 'provisional: the API key did not arrive' };
  if (status >= 200 && status < 300) return { state: 'done', reason: 'recorded' };
  if (status === 409) return { state: 'done', reason: 'already recorded' };
  if (status === 400) return decideRefusal(report, result.code);
  if (report.kind === 'erasure' && NO_SUCH_CALL.includes(status))
    return { state: 'skipped', reason: 'nothing to erase' };
  if (status === 429) return { state: 'pending', afterSeconds: result.retryAfterSeconds ?? 60, reason: 'rate limited' };
  if (status === 408 || status >= 500) return { state: 'pending', pace: 'normal', reason: `status ${status}` };
  if (status === 413 || status === 415) return { state: 'dead', reason: 'the service cannot read the report' };
  // 401, 403, 404 and anything unforeseen: a wrong key or address, which a person has to correct. Nothing is lost meanwhile.
  return { state: 'pending', pace: 'slow', reason: 'refused: check SVC_API_KEY and NEXT_PUBLIC_SVC_BASE_URL' };
}

/**
 * §7: a 400 for a report without a click ID is expected for customers who were not referred. A lead with one is sent once more
 * without its email address, which is optional and must not cost the lead.
 */
function decideRefusal(report: Report, code: string | undefined): Decision | Again {
  const notReferred: Decision = { state: 'skipped', reason: 'not referred by a partner' };
  if (report.kind === 'lead') {
    const { email, ...withoutEmail } = report;
    if (report.clickId === undefined) return notReferred;
    if (email !== undefined) return { state: 'again', report: withoutEmail };
  }
  // A service that gives codes tells an unknown customer from a sale that it cannot read.
  if (report.kind === 'sale' && (code === undefined || code === 'unknown_customer')) return notReferred;
  return { state: 'dead', reason: code ?? 'the service refused the report' };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Reports older than this become dead letters: visible, and sent again by hand. */
const LIFETIME = 7 * DAY;
/** Together with the drain's interval, everything is delivered within a minute of the end of an outage. */
const LONGEST_WAIT_IN_FIRST_HOUR = 45 * SECOND;
const LONGEST_WAIT = 15 * MINUTE;
/** A service may ask for a pause by `Retry-After`, within these bounds. */
const SHORTEST_WAIT_AS_TOLD = SECOND;
const LONGEST_WAIT_AS_TOLD = HOUR;

/** How a report stands after an attempt; `dueAt` counts only while it is pending. */
export type NextAttempt = { state: 'pending' | 'done' | 'skipped' | 'dead'; dueAt: Date; reason: string };

export type Attempt = {
  queuedAt: Date;
  /** Attempts so far, this one included. */
  attempts: number;
  now: Date;
  /** From 0 to below 1. Full jitter: a thousand reports that failed together do not return together. */
  random: number;
};

/** When to try again, if at all. */
export function decideNextAttempt(decision: Decision, attempt: Attempt): NextAttempt {
  const { now, queuedAt } = attempt;
  if (decision.state !== 'pending') return { state: decision.state, dueAt: now, reason: decision.reason };
  if (now.getTime() - queuedAt.getTime() >= LIFETIME) {
    return { state: 'dead', dueAt: now, reason: `given up after 7 days: ${decision.reason}` };
  }
  return { state: 'pending', dueAt: new Date(now.getTime() + waitOf(decision, attempt)), reason: decision.reason };
}

function waitOf(decision: Extract<Decision, { state: 'pending' }>, attempt: Attempt): number {
  if ('afterSeconds' in decision) {
    return Math.min(Math.max(decision.afterSeconds * SECOND, SHORTEST_WAIT_AS_TOLD), LONGEST_WAIT_AS_TOLD);
  }
  if (decision.pace === 'slow') return LONGEST_WAIT * (0.5 + attempt.random / 2);
  const isFirstHour = attempt.now.getTime() - attempt.queuedAt.getTime() < HOUR;
  const longest = isFirstHour ? LONGEST_WAIT_IN_FIRST_HOUR : LONGEST_WAIT;
  return attempt.random * Math.min(SECOND * 2 ** attempt.attempts, longest);
}
