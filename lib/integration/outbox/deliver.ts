// Stores reports and delivers them: at once, after each webhook, on an interval, and by the cron route.
// Change in your app: the interval, if an idle database should be able to suspend.
import 'server-only';
import { ZodError } from 'zod';
import { within } from '@/lib/integration/http';
import { type LogFields, log, logFailure } from '@/lib/integration/log';
import { isDraining } from '@/lib/integration/readiness';
import { type Decision, decideDelivery, decideNextAttempt, type NextAttempt, UNKNOWN_CLICK } from './policy';
import type { Report } from './report';
import { type Delivery, toService } from './send';
import { type Claim, claimEntries, enqueue, finishAttempt, NO_ORIGIN, type Origin, pruneOutbox } from './store';

const BATCH = 20;
const INTERVAL_MS = 5000;
const PRUNE_INTERVAL_MS = 3_600_000;
/** A database that does not respond in time counts as down. */
const STORE_LIMIT_MS = 3000;
/** As long as a lease: a query that never returns must not stop all later drains. */
const BATCH_LIMIT_MS = 30_000;
/** For storing and the first attempt together: a lead's webhook gets its response within 6 s, even if database and service hang. */
const RESPONSE_LIMIT_MS = 5000;

/**
 * Stores a report, then tries to deliver it at once. Once stored it cannot be lost, whatever the service says.
 * @param id the event's own: the same event, delivered again or fifty times at once, is one report
 * @returns `unavailable` if the report was neither stored nor decided by the service, or if an erasure could not be stored: respond
 * 503, so that the event is sent again
 * @throws ZodError for an invalid report
 */
export async function receiveReport(
  id: string,
  report: Report,
  { origin = NO_ORIGIN, delivery = toService }: { origin?: Origin; delivery?: Delivery } = {},
): Promise<'accepted' | 'unavailable'> {
  const fields = { kind: report.kind, id, request_id: origin.requestId };
  const started = performance.now();
  const timeLeft = () => RESPONSE_LIMIT_MS - (performance.now() - started);
  try {
    await within(STORE_LIMIT_MS, enqueue(id, report, delivery.now(), { origin }));
  } catch (error) {
    if (error instanceof ZodError) throw error; // a bug in the caller, not a storage failure
    logFailure('outbox: storing a report', error, fields);
    // If it were only sent, stored reports would keep the email address.
    if (report.kind === 'erasure') return 'unavailable';
    // Safe: the service counts a repeated report once. Only the database knows whether the user was erased, so no email address is sent.
    const sent = report.kind === 'lead' ? { ...report, email: undefined } : report;
    const attempted = await within(timeLeft(), attempt(sent, origin.requestId, delivery)).catch(() => null);
    if (attempted === null) return 'unavailable';
    const { decision, status } = attempted;
    logAttempt(decision, { ...fields, state: decision.state, reason: decision.reason, status }, true);
    return decision.state === 'pending' ? 'unavailable' : 'accepted';
  }
  // Stored is accepted: an interrupted attempt is repeated when its lease expires.
  await within(timeLeft(), deliverEntry(id, delivery)).catch((error) =>
    logFailure('outbox: the first attempt', error, fields),
  );
  return 'accepted';
}

/** Attempts one entry at once, if it is due and not claimed; otherwise the drain delivers it. */
export async function deliverEntry(id: string, delivery: Delivery = toService): Promise<void> {
  for (const claim of await claimEntries({ now: delivery.now(), limit: 1, id })) await deliverClaim(claim, delivery);
}

/**
 * Delivers up to a batch of what is due. Any number of processes may do so at once: each claims its own entries.
 * @param dueBy leaves out entries that became due later
 * @returns how many attempts were made, and whether the service limited the rate
 */
async function drainBatch(delivery: Delivery, dueBy = delivery.now()): Promise<{ count: number; isLimited: boolean }> {
  const claims = await claimEntries({ now: delivery.now(), limit: BATCH, dueBy });
  const decisions = await Promise.all(claims.map((claim) => deliverClaim(claim, delivery)));
  return { count: claims.length, isLimited: decisions.some((decision) => 'afterSeconds' in decision) };
}

/**
 * Delivers everything that is due when it starts, or until the service limits the rate: others would be refused, too. A report that
 * fails is left to the next drain, so that this one ends, however short a delay the service asks for.
 * @param hasTime asked before each batch; the next drain continues where this one stops
 * @returns how many attempts were made
 */
export async function drainOutbox(delivery: Delivery = toService, hasTime = () => true): Promise<number> {
  const started = delivery.now();
  let attempts = 0;
  while (hasTime() && !isDraining()) {
    const { count, isLimited } = await within(BATCH_LIMIT_MS, drainBatch(delivery, started));
    attempts += count;
    if (count < BATCH || isLimited) break;
  }
  return attempts;
}

// On globalThis: each route has a copy of this module.
const store = globalThis as typeof globalThis & { outboxDrain?: Promise<unknown> };

/** One batch, after a webhook's response: one at a time, so that a thousand webhooks at once leave connections to others. */
export const drainOnce = (delivery: Delivery = toService): Promise<unknown> =>
  (store.outboxDrain ??= within(BATCH_LIMIT_MS, drainBatch(delivery)).finally(() => {
    delete store.outboxDrain;
  }));

/** Drains every few seconds and deletes old reports every hour, until the process is told to stop. Serverless: use the cron route. */
export function drainOnInterval(): void {
  const drain = () =>
    drainOutbox()
      .catch((error) => logFailure('outbox: draining', error))
      .finally(() => setTimeout(drain, INTERVAL_MS).unref());
  setTimeout(drain, INTERVAL_MS).unref();
  const prune = () => void pruneOutbox(new Date()).catch((error) => logFailure('outbox: deleting old reports', error));
  setInterval(prune, PRUNE_INTERVAL_MS).unref();
}

/** The same once, for a cron route: delivers what is due, then deletes reports past their retention. */
export async function runOutbox(hasTime: () => boolean): Promise<{ attempts: number; deleted: number }> {
  return { attempts: await drainOutbox(toService, hasTime), deleted: await pruneOutbox(new Date(), hasTime) };
}

/** One attempt: send, decide, store the result. */
export async function deliverClaim(claim: Claim, delivery: Delivery): Promise<Decision> {
  const { id, report, queuedAt, attempts, requestId, lastReason } = claim;
  const { decision, status } = report ? await attempt(report, requestId, delivery) : UNREADABLE;
  const now = delivery.now();
  const next = decideNextAttempt(decision, { queuedAt, attempts, now, random: Math.random() });
  await finishAttempt(claim, next, status, now);
  const { state, reason } = next;
  const fields = { kind: report?.kind, id, state, reason, status, attempts, request_id: requestId };
  logAttempt(decision, fields, reason !== lastReason);
  return decision;
}

/** @param isNews whether the report's last attempt had another result: what an operator has to correct is an error once */
function logAttempt(
  decision: Decision,
  fields: LogFields & Pick<NextAttempt, 'state' | 'reason'>,
  isNews: boolean,
): void {
  const { state, reason } = fields;
  const needsOperator =
    (state === 'dead' && reason !== UNKNOWN_CLICK) || (isNews && 'pace' in decision && decision.pace === 'slow');
  // Nothing else would say that the email address may still be there.
  const isNotErased = fields.kind === 'erasure' && state === 'skipped';
  if (needsOperator) log.error('outbox: a report needs an operator', fields);
  else if (isNotErased) log.warn('outbox: an erasure found nothing to erase', fields);
  else log.info('outbox: attempt', fields);
}

type Attempted = { decision: Decision; status: number | null };

/** Left to a process that can read it: during a deployment, two versions share the outbox. */
const UNREADABLE: Attempted = {
  decision: { state: 'pending', pace: 'slow', reason: 'this version cannot read it' },
  status: null,
};

/** Sends a report, and again without its email address if that may be why the service refused it. */
async function attempt(report: Report, requestId: string | null, delivery: Delivery): Promise<Attempted> {
  const result = await delivery.send(report, requestId);
  const decision = decideDelivery(report, result);
  if (decision.state !== 'again') return { decision, status: result.status };
  log.warn('outbox: a lead was refused and is sent again without the email address', {
    customer: report.customerExternalId,
    request_id: requestId,
  });
  return attempt(decision.report, requestId, delivery);
}
