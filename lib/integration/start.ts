// What `instrumentation.ts` runs once per server process, before the first request.
import 'server-only';
import { database } from './database';
import { findEnvProblems, findEnvWarnings, findRename } from './env';
import type { EnvProblem } from './env-rules';
import { drainOnInterval } from './outbox/deliver';
import { addReadinessCheck, checkDatabase, checkTables, drainOnSignal } from './readiness';

/** Lists missing and malformed variables and exits; if there are none, logs warnings and starts the intervals. */
export function startIntegration(): void {
  const problems = findStartProblems();
  for (const { message } of problems) console.error(message);
  // If this threw, Next would print the error and keep running without ever responding.
  if (problems.length > 0) process.exit(1);
  for (const { message } of findEnvWarnings()) console.warn(message);
  addReadinessCheck('database', checkDatabase);
  addReadinessCheck('migrations', checkTables());
  drainOnSignal();
  drainOnInterval();
}

/** All missing or malformed variables, with that of the database. */
export const findStartProblems = (): EnvProblem[] => [...findEnvProblems('run'), ...findDatabaseProblems()];

function findDatabaseProblems(): EnvProblem[] {
  try {
    database(); // reads DATABASE_URL; it connects later
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ variable: 'DATABASE_URL', message: message + findRename('DATABASE_URL') }];
  }
}
