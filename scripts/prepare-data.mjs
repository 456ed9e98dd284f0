// The data of a local run: its variables are checked, its tables made, and what the app needs is filled in. What an earlier
// run has prepared costs nothing.
import path from 'node:path';
import { diagnoseDatabase } from './database/diagnose.mjs';
import { DIRECTORY, listMigrations } from './database/migrations.mjs';
import { migrationsFor } from './database/migrations-of-parts.mjs'; // part: service
import { VARIABLES } from './local-env.mjs';
import { isPrepared, whenChanged } from './prepared.mjs';
import { PRISMA, ProgramError, runNode, runScript } from './programs.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */

const FOREIGN_MIGRATIONS =
  'The database has migrations that differ from those in prisma/migrations. `npm run db:reset` deletes local data; a ' +
  'database of your own needs `npx prisma migrate status`.';

const RESET =
  'If an earlier start was interrupted while it prepared the database, `npm run db:reset` deletes local data; a database of your own ' +
  'needs `npx prisma migrate status`.';

/** What prepares a run, and the files that it depends on. */
const STEPS = {
  check: {
    script: 'scripts/check-environment.ts',
    files: ['lib/integration/env.ts', 'lib/integration/env-rules.ts', 'lib/service/env.ts'],
  },
  seed: { script: 'prisma/seed.ts', files: ['lib/service/seed.ts', 'lib/service/create-program.ts'] }, // part: service
  // part: emulators
  catalog: { script: 'scripts/create-catalog.ts', files: ['lib/shop/catalog.ts', 'lib/integration/plans.ts'] },
  // end: emulators
};

// part: service
/**
 * The arguments of a step whose data is kept. A dashboard that people look at gets a history; tests begin with an empty one.
 * @type {Record<string, string[] | undefined>}
 */
const WHEN_KEPT = { seed: ['--history'] };
// end: service

/** Applies the migrations that `env.DATABASE_URL` lacks. The files of a release have no say. @param {Environment} env */
export const migrate = (env) => runNode([PRISMA, 'migrate', 'deploy'], { ...env, __NEXT_PROCESSED_ENV: 'true' });

/** @param {keyof typeof STEPS} name */
const filesOf = (name) => [STEPS[name].script, ...STEPS[name].files];

/** The check of the variables, and what it depends on. A new migration asks for it again. @param {Environment} env */
const checkOf = (env) => ({
  name: /** @type {const} */ ('check'),
  files: [...filesOf('check'), ...listMigrations().map((name) => path.join(DIRECTORY, name, 'migration.sql'))],
  // For the database, only whether its address is valid: the embedded database has a different port in each run.
  read: async () => [
    ...VARIABLES.filter((name) => name !== 'DATABASE_URL').map((name) => env[name]),
    String(/^postgres(ql)?:\/\//.test(env.DATABASE_URL ?? '') && URL.canParse(env.DATABASE_URL ?? '')),
  ],
});

/** Whether the last run was prepared with this environment, so that its app can start beside its data. @param {Environment} env */
export const isKnownEnvironment = (env) => isPrepared(env, checkOf(env));

/**
 * Checks the variables, and fills what was started with the data that the app needs, if it lacks it.
 * @param {Environment} env @param {{ isKept: boolean, isStripeEmulated: boolean }} options
 */
export async function prepareData(env, { isKept, isStripeEmulated }) {
  const step = (/** @type {import('./prepared.mjs').Inputs & { name: keyof typeof STEPS }} */ inputs) => {
    const { script } = STEPS[inputs.name];
    const work = () => runScript(script, env, isKept ? WHEN_KEPT[inputs.name] : []);
    return isKept ? whenChanged(env, inputs, work) : work();
  };
  try {
    await step(checkOf(env));
  } catch (error) {
    throw error instanceof ProgramError ? new Error(`${error.output}The app was not started.`) : error;
  }
  const prepareDatabase = async () => {
    const diagnose = () => diagnoseDatabase(env.DATABASE_URL ?? '', migrationsFor(env));
    let database = await diagnose();
    if (database.state === 'unusable') throw new Error(`${database.message}\nThe app was not started.`);
    if (database.state !== 'ready') {
      if (isKept) console.log('Preparing the database.');
      await migrate(env).catch((error) => {
        if (isKept) console.error(RESET);
        throw error;
      });
      database = await diagnose();
      if (database.state !== 'ready') throw new Error(FOREIGN_MIGRATIONS);
    }
    // part: service
    const { id } = database;
    const read = async () => [id, env.SVC_API_KEY, env.SVC_OPEN_API_KEY];
    await step({ name: 'seed', files: filesOf('seed'), read });
    // end: service
  };
  await Promise.all([
    prepareDatabase(),
    // part: emulators
    isStripeEmulated && step({ name: 'catalog', files: filesOf('catalog'), read: () => readPrices(env) }),
    // end: emulators
  ]);
}

// part: emulators
/** The prices that the emulator has: a reset may have emptied it. @param {Environment} env */
async function readPrices({ STRIPE_API_URL, STRIPE_SECRET_KEY }) {
  const headers = { authorization: `Bearer ${STRIPE_SECRET_KEY}` };
  return (await fetch(`${STRIPE_API_URL}/v1/prices?limit=100`, { headers })).json();
}
// end: emulators
