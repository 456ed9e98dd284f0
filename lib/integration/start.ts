// What `instrumentation.ts` runs once per server process, before the first request.
import 'server-only';
import { database } from './database';
import { findEnvProblems, findEnvWarnings, findProblemOf } from './env';
import type { EnvProblem } from './env-rules';
import { drainOnInterval } from './outbox/deliver';
import { addReadinessCheck, checkDatabase, checkTables, drainOnSignal } from './readiness';

/**
 * Lists missing and malformed variables and exits; if there are none, logs warnings and starts the intervals.
 * @param others what is wrong with other variables of your app, to be listed with these
 */
export function startIntegration(others: EnvProblem[] = []): void {
  const ofDatabase = findProblemOf('DATABASE_URL', database); // it connects later
  const problems = [...findEnvProblems('run'), ...ofDatabase, ...others];
  for (const { message } of problems) console.error(message);
  // If this threw, Next would print the error and keep running without ever responding.
  if (problems.length > 0) process.exit(1);
  for (const { message } of findEnvWarnings()) console.warn(message);
  addReadinessCheck('database', checkDatabase);
  addReadinessCheck('migrations', checkTables());
  drainOnSignal();
  drainOnInterval();
}
