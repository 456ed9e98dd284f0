import 'server-only';
import { type Delivery, deliverClaim } from './deliver-claim';
import { claimEntries } from './inbox-store';
import { toService } from './send-report';

const BATCH = 20;
const INTERVAL_MS = 5000;

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
export async function drainInbox(delivery: Delivery = toService): Promise<number> {
  let attempts = 0;
  for (;;) {
    const count = await drainBatch(delivery);
    attempts += count;
    if (count < BATCH) return attempts;
  }
}

/** Drains every few seconds for as long as the process lives. Where nothing lives that long, call the cron route instead. */
export function drainInboxOnInterval(): void {
  const drain = () =>
    drainInbox()
      .catch(() => console.error('inbox: the database is unreachable, nothing was drained'))
      .finally(() => setTimeout(drain, INTERVAL_MS).unref());
  setTimeout(drain, INTERVAL_MS).unref();
}
