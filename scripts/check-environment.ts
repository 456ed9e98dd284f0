// The check of the variables of all parts, for build, start, local runs and doctor; the server's is in instrumentation.ts.
// Run as a program it prints what is wrong with those of a run, or with `build` those of a build, and ends with 1.
import { findEnvProblems, findProblemOf } from '@/lib/integration/env';
import type { EnvProblem } from '@/lib/integration/env-rules';
import { findServiceEnvProblems } from '@/lib/service/env'; // part: service
import { applyEmbeddedService, isServiceEmbedded } from '@/lib/service/switch.mjs'; // part: service
import { readDatabaseUrl } from '@/prisma/database-url';

type Stage = 'build' | 'run';

/** What is missing, malformed or contradictory, one sentence each: the variable and the remedy. */
export function findEnvironmentProblems(stage: Stage): EnvProblem[] {
  return [
    ...findEnvProblems(stage),
    ...findDatabaseProblems(stage),
    ...(isServiceEmbedded(process.env) ? findServiceEnvProblems(stage) : []), // part: service
  ];
}

/** A build does not use the database, so DATABASE_URL may be unset; if set, it has to be a PostgreSQL URL. */
export function findDatabaseProblems(stage: Stage): EnvProblem[] {
  if (stage === 'build' && !process.env.DATABASE_URL?.trim()) return [];
  return findProblemOf('DATABASE_URL', readDatabaseUrl);
}

if (process.argv[1] === import.meta.filename) {
  applyEmbeddedService(process.env); // part: service
  const problems = findEnvironmentProblems(process.argv[2] === 'build' ? 'build' : 'run');
  for (const { message } of problems) console.error(message);
  if (problems.length > 0) process.exitCode = 1;
}
