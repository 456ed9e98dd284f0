import 'server-only';
import { decideDelivery } from '@/lib/integration/domain/decide-delivery';
import type { Report } from '@/lib/integration/domain/report';
import type { Delivery } from './deliver-claim';
import { deliverEntry } from './deliver-entry';
import { enqueue } from './inbox-store';
import { toService } from './send-report';

/** A database that does not answer counts as one that is down. */
const STORE_LIMIT_MS = 3000;

/**
 * Stores a report, then tries to deliver it at once. Once stored it cannot be lost, whatever the service says.
 * `id` is the event's own: the same event again, or fifty times at once, is one report.
 * @returns `unavailable` only where neither the database nor the service could be reached: ask for the event again.
 */
export async function receiveReport(
  id: string,
  report: Report,
  delivery: Delivery = toService,
): Promise<'accepted' | 'unavailable'> {
  try {
    await within(STORE_LIMIT_MS, enqueue(id, report, delivery.now()));
  } catch {
    console.error(`inbox: the database is unreachable, ${report.kind} ${id} is delivered without it`);
    return deliverUnstored(report, delivery);
  }
  // Stored is accepted: an attempt that breaks off here is made again when its lease has run out.
  await deliverEntry(id, delivery).catch(() => console.error(`inbox: the attempt for ${id} broke off`));
  return 'accepted';
}

// Safe without the inbox, since the service counts a repeat of the same report once.
async function deliverUnstored(report: Report, { send }: Delivery) {
  const verdict = decideDelivery(report, await send(report));
  return verdict.state === 'pending' ? 'unavailable' : 'accepted';
}

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
