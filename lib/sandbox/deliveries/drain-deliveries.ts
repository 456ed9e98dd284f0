// At-least-once delivery of webhooks over real HTTP. Call `drainDeliveries` after the response:
//   after(drainDeliveries)   (next/server)
import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { requireSandboxEnv } from '../env';
import { decideNextAttempt } from './back-off';
import {
  type AttemptRecord,
  type ClaimedDelivery,
  claimDelivery,
  countUnattempted,
  nextDeliveryDue,
  recordAttempts,
  subjectsOf,
} from './delivery-queries';
import { signDelivery } from './sign-delivery';

const CONCURRENCY = 4;
const TIMEOUT_MS = 10_000;
const LONGEST_WAKE_UP_MS = 60_000;
const KEPT_ANSWER_LENGTH = 2_000;

/** Attempts every delivery that is due, until none is left, then plans to come back for the next one that waits. */
export async function drainDeliveries(): Promise<void> {
  await drain(null);
  await planWakeUp();
}

/**
 * Delivers until each of these events has been attempted at every endpoint, or the time is up. Stripe's Checkout does
 * so before it sends the customer back. Nobody else's deliveries hold it up.
 */
export async function deliverNow(eventIds: string[], { timeoutMs }: { timeoutMs: number }): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const drained = drain(await subjectsOf(eventIds)).catch(report);
  while (Date.now() < deadline && (await countUnattempted(eventIds)) > 0) {
    await Promise.race([drained, delay(50)]);
    await delay(20);
  }
}

async function drain(subjects: string[] | null): Promise<void> {
  await Promise.all(Array.from({ length: CONCURRENCY }, () => drainInOrder(subjects)));
}

async function drainInOrder(subjects: string[] | null): Promise<void> {
  for (let claimed = await claimDelivery(subjects); claimed; claimed = await claimDelivery(subjects))
    await deliver(claimed);
}

async function deliver(delivery: ClaimedDelivery): Promise<void> {
  const copies = delivery.isDuplicated ? 2 : 1; // at the same moment, as a provider may
  const attempts = await Promise.all(Array.from({ length: copies }, () => attempt(delivery)));
  const isDelivered = attempts.every(
    ({ answerStatus }) => answerStatus !== null && Math.floor(answerStatus / 100) === 2,
  );
  const nextAttemptAt = isDelivered ? null : decideNextAttempt(delivery.attemptCount, new Date());
  await recordAttempts(delivery.id, attempts, { isDelivered, nextAttemptAt });
}

async function attempt(delivery: ClaimedDelivery): Promise<AttemptRecord> {
  const attemptedAt = new Date();
  const startedAt = performance.now();
  let requestHeaders: Record<string, string> = {};
  try {
    const secret = delivery.secret ?? (delivery.secretName ? requireSandboxEnv(delivery.secretName) : '');
    requestHeaders = signDelivery({ ...delivery, secret }, attemptedAt);
    const answer = await fetch(delivery.url, {
      method: 'POST',
      headers: requestHeaders,
      body: delivery.body,
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answerBody = (await answer.text()).slice(0, KEPT_ANSWER_LENGTH).replaceAll('\u0000', '');
    const durationMs = Math.round(performance.now() - startedAt);
    return { requestHeaders, attemptedAt, answerStatus: answer.status, answerBody, error: null, durationMs };
  } catch (error) {
    const durationMs = Math.round(performance.now() - startedAt);
    return { requestHeaders, attemptedAt, answerStatus: null, answerBody: null, error: describe(error), durationMs };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message || error.cause.name}` : error.message;
}

// A timer is a courtesy, not state: when it is lost with its process, the next request to the sandbox drains anyway.
const store = globalThis as typeof globalThis & { sandboxWakeUp?: NodeJS.Timeout };

async function planWakeUp(): Promise<void> {
  const due = await nextDeliveryDue();
  clearTimeout(store.sandboxWakeUp);
  if (!due) return;
  const wait = Math.min(Math.max(due.getTime() - Date.now(), 250), LONGEST_WAKE_UP_MS);
  store.sandboxWakeUp = setTimeout(() => drainDeliveries().catch(report), wait).unref();
}

function report(error: unknown): void {
  console.error('The sandbox could not deliver webhooks.', error);
}
