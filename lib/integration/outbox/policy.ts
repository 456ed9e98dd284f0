// Decides what happens to a report after an attempt; docs/decisions/0014 has the table. Pure: no clock, no database, no variables.
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
type Again = { state: 'again'; report: Report };

/** The code for a click ID that is invented, expired or another program's. Visitors can set the cookie, so one alone is no alarm. */
export const UNKNOWN_CLICK = 'unknown_click';

const UNREADABLE = 'the service cannot read the report';

/** Responses of a service without our erasure extension, or without the customer. */
const NO_SUCH_CALL = [404, 405, 501];

/** Whether a result completes a report or calls for another attempt. The status decides; a code, if any, tells refusals apart. */
export function decideDelivery(report: Report, result: SendResult): Decision | Again {
  if (result.status === null) return { state: 'pending', pace: 'normal', reason: result.reason };
  const { status } = result;
  if (result.provisional) return { state: 'pending', pace: 'slow', reason: 'provisional: the API key did not arrive' };
  if (status >= 200 && status < 300) return { state: 'done', reason: 'recorded' };
  if (status === 409) return { state: 'done', reason: 'already recorded' };
  if (status === 400 || status === 422) return decideRefusal(report, status, result.code);
  if (report.kind === 'erasure' && NO_SUCH_CALL.includes(status))
    return { state: 'skipped', reason: 'no such call or customer' };
  if (status === 429) return { state: 'pending', afterSeconds: result.retryAfterSeconds ?? 60, reason: 'rate limited' };
  if (status === 408 || status >= 500) return { state: 'pending', pace: 'normal', reason: `status ${status}` };
  if (status === 413 || status === 415) return { state: 'dead', reason: UNREADABLE };
  // 401, 403, 404 and anything else: a wrong key or address, which a person has to correct. No lead or sale is lost meanwhile.
  return { state: 'pending', pace: 'slow', reason: 'refused: check SVC_API_KEY and NEXT_PUBLIC_SVC_BASE_URL' };
}

/**
 * §7: a 400 is expected for a lead without a click ID, because the customer was not referred. For a sale it means the same, unless a
 * code says otherwise. A lead with a click ID is sent once more without its email address, which is optional and must not cost the
 * lead. Some services respond 422 if a field is missing or cannot be read.
 */
function decideRefusal(report: Report, status: 400 | 422, code: string | undefined): Decision | Again {
  const notReferred: Decision = { state: 'skipped', reason: 'not referred by a partner' };
  if (report.kind === 'lead') {
    const { email, ...withoutEmail } = report;
    if (report.clickId === undefined) return notReferred;
    if (email !== undefined) return { state: 'again', report: withoutEmail };
  }
  // A service that sends codes tells an unknown customer from an unreadable sale.
  if (report.kind === 'sale' && status === 400 && (code === undefined || code === 'unknown_customer'))
    return notReferred;
  return { state: 'dead', reason: code ?? (status === 400 ? 'the service refused the report' : UNREADABLE) };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Older reports become dead letters: visible, and retried by hand. */
const LIFETIME = 7 * DAY;
/** With the drain's interval, everything is delivered within a minute after an outage ends. */
const MAX_DELAY_IN_FIRST_HOUR = 45 * SECOND;
const MAX_DELAY = 15 * MINUTE;
/** `Retry-After` counts within these bounds. */
const MIN_RETRY_AFTER = SECOND;
const MAX_RETRY_AFTER = HOUR;
/** Jitter on top of it, at most its own length: reports that were refused together are not retried together. */
const MAX_RETRY_JITTER = 30 * SECOND;

/** The report's state after an attempt; `dueAt` matters only while it is pending. */
export type NextAttempt = { state: 'pending' | 'done' | 'skipped' | 'dead'; dueAt: Date; reason: string };

type Attempt = {
  queuedAt: Date;
  /** Attempts so far, this one included. */
  attempts: number;
  now: Date;
  /** At least 0 and below 1. Full jitter: reports that failed together are not retried together. */
  random: number;
};

/** When to try again, if at all. */
export function decideNextAttempt(decision: Decision, attempt: Attempt): NextAttempt {
  const { now, queuedAt } = attempt;
  if (decision.state !== 'pending') return { state: decision.state, dueAt: now, reason: decision.reason };
  if (now.getTime() - queuedAt.getTime() >= LIFETIME) {
    return { state: 'dead', dueAt: now, reason: `given up after 7 days: ${decision.reason}` };
  }
  return { state: 'pending', dueAt: new Date(now.getTime() + delayOf(decision, attempt)), reason: decision.reason };
}

function delayOf(decision: Extract<Decision, { state: 'pending' }>, attempt: Attempt): number {
  if ('afterSeconds' in decision) {
    const told = Math.min(Math.max(decision.afterSeconds * SECOND, MIN_RETRY_AFTER), MAX_RETRY_AFTER);
    return told + attempt.random * Math.min(told, MAX_RETRY_JITTER);
  }
  if (decision.pace === 'slow') return MAX_DELAY * (0.5 + attempt.random / 2);
  const isFirstHour = attempt.now.getTime() - attempt.queuedAt.getTime() < HOUR;
  const longest = isFirstHour ? MAX_DELAY_IN_FIRST_HOUR : MAX_DELAY;
  return attempt.random * Math.min(SECOND * 2 ** attempt.attempts, longest);
}
