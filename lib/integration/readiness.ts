// Whether this process may be sent requests: its database responds, the tables are there, and it was not told to end.
// Change in your app: add checks of what your own requests need.
import 'server-only';
import { database } from './database';
import { logFailure } from './log';
import { within } from './time-limit';

/** Resolves if the dependency works, rejects otherwise. */
export type ReadinessCheck = () => Promise<unknown>;

const CHECK_LIMIT_MS = 2000;

type State = { isDraining: boolean; checks: Map<string, ReadinessCheck> };

// On globalThis: `instrumentation.ts` and each route have a copy of this module.
const store = globalThis as typeof globalThis & { readiness?: State };
const state = (): State => (store.readiness ??= { isDraining: false, checks: new Map() });

export const addReadinessCheck = (name: string, check: ReadinessCheck): void => {
  state().checks.set(name, check);
};

/** Whether the process was told to end: it finishes what it has begun, and begins nothing new by itself. */
export const isDraining = (): boolean => state().isDraining;

export type Readiness = { isReady: boolean; checks: Record<string, 'ok' | 'failed' | 'draining'> };

/** Asks everything at once. The result names what failed and not why: the log says that. */
export async function checkReadiness(): Promise<Readiness> {
  const { checks } = state();
  const results = await Promise.all(
    [...checks].map(async ([name, check]) => [name, (await passes(name, check)) ? 'ok' : 'failed'] as const),
  );
  const all: Readiness['checks'] = { process: isDraining() ? 'draining' : 'ok', ...Object.fromEntries(results) };
  return { isReady: Object.values(all).every((result) => result === 'ok'), checks: all };
}

async function passes(name: string, check: ReadinessCheck): Promise<boolean> {
  try {
    await within(CHECK_LIMIT_MS, check());
    return true;
  } catch (error) {
    logFailure(`readiness: ${name}`, error);
    return false;
  }
}

/** The database responds. */
export const checkDatabase: ReadinessCheck = () => database().$queryRaw`SELECT 1`;

/**
 * The tables of the integration have every column that this version reads: a process that is newer than its database is not
 * ready until `prisma migrate deploy` has run. Asked until it was so once, as migrations remove no columns.
 */
export function checkTables(): ReadinessCheck {
  let wereFound = false;
  return async () => {
    if (wereFound) return;
    const db = database();
    await Promise.all([
      db.shopCustomer.findFirst(),
      db.shopSubscription.findFirst(),
      db.shopFencingToken.findFirst(),
      db.shopPurchase.findFirst(),
      db.shopOutboxEntry.findFirst(),
      db.shopCheckpoint.findFirst(),
      db.$queryRaw`SELECT 1 FROM shop_outbox LIMIT 1`, // finds the table by the session's search path
    ]);
    wereFound = true;
  };
}

/**
 * Marks the process as not ready on SIGTERM or SIGINT. Next finishes the open requests and ends the process; where a custom server
 * does not handle the signal, it ends the process as if this did not listen.
 */
export function drainOnSignal(): void {
  const drain = (signal: NodeJS.Signals) => {
    state().isDraining = true;
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.once('SIGTERM', drain);
  process.once('SIGINT', drain);
}
