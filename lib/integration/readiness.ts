// Whether this process can take requests: its database responds, the tables exist, and it is not shutting down.
// Change in your app: add checks for what your own requests need.
import 'server-only';
import { database } from './database';
import { within } from './http';
import { logFailure } from './log';

/** Resolves if the dependency works, rejects otherwise. */
type ReadinessCheck = () => Promise<unknown>;

const CHECK_LIMIT_MS = 2000;

type State = { isDraining: boolean; checks: Map<string, ReadinessCheck> };

// On globalThis: `instrumentation.ts` and each route have a copy of this module.
const store = globalThis as typeof globalThis & { readiness?: State };
const state = (): State => (store.readiness ??= { isDraining: false, checks: new Map() });

export const addReadinessCheck = (name: string, check: ReadinessCheck): void => {
  state().checks.set(name, check);
};

/** Whether the process is shutting down: it finishes what it has started, and starts nothing new by itself. */
export const isDraining = (): boolean => state().isDraining;

type Readiness = { isReady: boolean; checks: Record<string, 'ok' | 'failed' | 'draining'> };

/** Runs all checks at once. The result says what failed; the log says why. */
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
 * The integration's tables have every column that this version reads: a process that is newer than its database is not ready until
 * `prisma migrate deploy` has run. Not checked again after it succeeds once, because migrations remove no columns.
 */
export function checkTables(): ReadinessCheck {
  let wereFound = false;
  return async () => {
    if (wereFound) return;
    const db = database();
    const none = { where: { OR: [] } }; // reads the columns of no row, however large the table is
    await Promise.all([
      db.shopCustomer.findFirst(none),
      db.shopSubscription.findFirst(none),
      db.shopFencingToken.findFirst(none),
      db.shopPurchase.findFirst(none),
      db.shopOutboxEntry.findFirst(none),
      db.shopCheckpoint.findFirst(none),
      db.$queryRaw`SELECT 1 FROM shop_outbox LIMIT 0`, // finds the table by the session's search path
    ]);
    wereFound = true;
  };
}

/**
 * Marks the process as not ready on SIGTERM or SIGINT. Next finishes the open requests and exits. If nothing else handles the
 * signal, as in a custom server, the process exits as it would without this listener.
 */
export function drainOnSignal(): void {
  const drain = (signal: NodeJS.Signals) => {
    state().isDraining = true;
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.once('SIGTERM', drain);
  process.once('SIGINT', drain);
}
