// The check of the variables of all parts, for build, start, local runs and doctor; the server has the same in instrumentation.node.ts.
// Run as a program it prints what is wrong with those of a run, or with `build` those of a build, and ends with 1.
import { findEnvProblems, findRename } from '@/lib/integration/env';
import { findServiceEnvProblems } from '@/lib/service/env'; // part: service
import { applyEmbeddedService, isServiceEmbedded } from '@/lib/service/switch.mjs'; // part: service
import { readDatabaseUrl } from '@/prisma/database-url';

export type Stage = 'build' | 'run';
export type Problem = { variable: string; message: string };

/** What is missing, malformed or contradictory, one sentence each: the variable and the remedy. */
export function findEnvironmentProblems(stage: Stage): Problem[] {
  return [
    ...findEnvProblems(stage),
    ...findDatabaseProblems(stage),
    ...(isServiceEmbedded(process.env) ? findServiceEnvProblems(stage) : []), // part: service
  ];
}

/** A build does not use the database, so DATABASE_URL may be unset; if set, it has to be a PostgreSQL URL. */
export function findDatabaseProblems(stage: Stage): Problem[] {
  if (stage === 'build' && !process.env.DATABASE_URL?.trim()) return [];
  try {
    readDatabaseUrl();
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ variable: 'DATABASE_URL', message: message + findRename('DATABASE_URL') }];
  }
}

if (process.argv[1] === import.meta.filename) {
  applyEmbeddedService(process.env); // part: service
  const problems = findEnvironmentProblems(process.argv[2] === 'build' ? 'build' : 'run');
  for (const { message } of problems) console.error(message);
  if (problems.length > 0) process.exitCode = 1;
}
