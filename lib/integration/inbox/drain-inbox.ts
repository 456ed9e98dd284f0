import 'server-only';
import { deliverClaim, type SendReport } from './deliver-claim';
import { claimEntries } from './inbox-store';
import { sendReport } from './send-report';

const BATCH = 20;
const INTERVAL_MS = 5000;

/**
 * Delivers what is due, a batch at a time. Any number of processes may do so at once: each claims entries of its own.
 * @returns how many attempts were made
 */
export async function drainInbox({ send = sendReport, now = () => new Date() }: Partial<Drain> = {}): Promise<number> {
  let attempts = 0;
  for (;;) {
    const claims = await claimEntries({ now: now(), limit: BATCH });
    await Promise.all(claims.map((claim) => deliverClaim(claim, send)));
    attempts += claims.length;
    if (claims.length < BATCH) return attempts;
  }
}

type Drain = { send: SendReport; now: () => Date };

/** Drains every few seconds for as long as the process lives. Where nothing lives that long, call the cron route instead. */
export function drainInboxOnInterval(): void {
  const drain = () =>
    drainInbox()
      .catch(() => console.error('inbox: the database is unreachable, nothing was drained'))
      .finally(() => setTimeout(drain, INTERVAL_MS).unref());
  setTimeout(drain, INTERVAL_MS).unref();
}
