// Stores reports and delivers them: at once, after each webhook, on an interval, and by the cron route.
// Change in your app: the interval, where an idle database should be left to sleep.
import 'server-only';
import { logFailure } from '@/lib/integration/http';
import { type Decision, decideDelivery, decideNextAttempt } from './policy';
import type { Report } from './report';
import { type Delivery, toService } from './send';
import { type Claim, claimEntries, enqueue, finishAttempt } from './store';

const BATCH = 20;
const INTERVAL_MS = 5000;
/** A database that does not respond counts as one that is down. */
const STORE_LIMIT_MS = 3000;

/**
 * Stores a report, then tries to deliver it at once. Once stored it cannot be lost, whatever the service says.
 * `id` is the event's own: the same event again, or fifty times at once, is one report.
 * @returns `unavailable` only where neither the database nor the service could be reached: ask for the event again
 */
export async function receiveReport(
  id: string,
  report: Report,
  delivery: Delivery = toService,
): Promise<'accepted' | 'unavailable'> {
  try {
    await within(STORE_LIMIT_MS, enqueue(id, report, delivery.now()));
  } catch (error) {
    logFailure(`outbox: storing ${report.kind} ${id}, which is delivered without the database,`, error);
    // Safe: the service counts a repeat of the same report once.
    const { decision } = await attempt(report, delivery);
    return decision.state === 'pending' ? 'unavailable' : 'accepted';
  }
  // Stored is accepted: an attempt that breaks off is made again when its lease has run out.
  await deliverEntry(id, delivery).catch((error) => logFailure(`outbox: the attempt for ${id}`, error));
  return 'accepted';
}

/** One attempt for one entry at once, where it is due and free; otherwise the drain delivers it. */
export async function deliverEntry(id: string, delivery: Delivery = toService): Promise<void> {
  for (const claim of await claimEntries({ now: delivery.now(), limit: 1, id })) await deliverClaim(claim, delivery);
}

/**
 * Delivers up to a batch of what is due. Any number of processes may do so at once: each claims entries of its own.
 * @returns how many attempts were made
 */
export async function drainBatch(delivery: Delivery = toService): Promise<number> {
  const claims = await claimEntries({ now: delivery.now(), limit: BATCH });
  await Promise.all(claims.map((claim) => deliverClaim(claim, delivery)));
  return claims.length;
}

/** Delivers everything that is due, and returns how many attempts were made. */
export async function drainOutbox(delivery: Delivery = toService): Promise<number> {
  let attempts = 0;
  for (;;) {
    const count = await drainBatch(delivery);
    attempts += count;
    if (count < BATCH) return attempts;
  }
}

/** Drains every few seconds while the process runs. Serverless: call the cron route instead. */
export function drainOnInterval(): void {
  const drain = () =>
    drainOutbox()
      .catch((error) => logFailure('outbox: draining', error))
      .finally(() => setTimeout(drain, INTERVAL_MS).unref());
  setTimeout(drain, INTERVAL_MS).unref();
}

/** One attempt: send, decide, write down. */
export async function deliverClaim(claim: Claim, delivery: Delivery): Promise<void> {
  const { decision, status } = await attempt(claim.report, delivery);
  const now = delivery.now();
  const { id, report, queuedAt, attempts } = claim;
  const next = decideNextAttempt(decision, { queuedAt, attempts, now, random: Math.random() });
  if (next.state === 'dead' || ('pace' in decision && decision.pace === 'slow')) {
    console.error(`outbox: ${report.kind} ${id} is ${next.state}: ${next.reason} (status ${status})`);
  }
  await finishAttempt(claim, next, status, now);
}

type Attempted = { decision: Decision; status: number | null };

/** Sends a report, a second time without its email address where the service may have refused that. */
async function attempt(report: Report, { send }: Pick<Delivery, 'send'>): Promise<Attempted> {
  const result = await send(report);
  const decision = decideDelivery(report, result);
  if (decision.state !== 'again') return { decision, status: result.status };
  console.warn(
    `outbox: the lead of ${report.customerExternalId} was refused and is sent again without the email address`,
  );
  return attempt(decision.report, { send });
}

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${milliseconds} ms`)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
