// What `instrumentation.ts` runs once per server process, before the first request. Change in your app: nothing.
import 'server-only';
import { database } from './database';
import { assertEnv, findEnvWarnings } from './env';
import { drainOnInterval } from './outbox/deliver';
import { addReadinessCheck, checkDatabase, checkTables, drainOnSignal } from './readiness';

/** Ends the process where a variable is missing or malformed; otherwise warns, and starts what runs on an interval. */
export function startIntegration(): void {
  try {
    assertEnv();
    database(); // its client reads DATABASE_URL; the connection is made later
  } catch (error) {
    // Next would print the error and keep running, as a server that never responds.
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  for (const { message } of findEnvWarnings()) console.warn(message);
  addReadinessCheck('database', checkDatabase);
  addReadinessCheck('migrations', checkTables());
  drainOnSignal();
  drainOnInterval();
}
