// What `instrumentation.ts` runs once per server process, before the first request.
import 'server-only';
import { database } from './database';
import { assertEnv, findEnvWarnings } from './env';
import { drainOnInterval } from './outbox/deliver';
import { addReadinessCheck, checkDatabase, checkTables, drainOnSignal } from './readiness';

/** Exits if a variable is missing or malformed; otherwise logs warnings and starts the intervals. */
export function startIntegration(): void {
  try {
    assertEnv();
    database(); // reads DATABASE_URL; it connects later
  } catch (error) {
    // Next would print the error and keep running without ever responding.
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  for (const { message } of findEnvWarnings()) console.warn(message);
  addReadinessCheck('database', checkDatabase);
  addReadinessCheck('migrations', checkTables());
  drainOnSignal();
  drainOnInterval();
}
