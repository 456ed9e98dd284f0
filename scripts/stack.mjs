// Starts what a local run consists of, prepares its data, and starts the app. What an earlier run has prepared costs nothing.
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { diagnoseDatabase } from './database/diagnose.mjs';
import { findMigrated } from './database/migrations.mjs';
import { migrationsFor } from './database/migrations-of-parts.mjs'; // part: service
import { IN_MEMORY, startDatabase } from './database/start.mjs';
import { decideEmulated, emulatorsDirectory, needsEmulators, startEmulators } from './emulators.mjs'; // part: emulators
import { completeEnvironment, databaseDirectory, VARIABLES } from './local-env.mjs';
import { choosePort, freePort } from './ports.mjs';
import { whenChanged } from './prepared.mjs';
import { NEXT, PRISMA, ProgramError, runNode, runScript, spawnNode, superviseChild } from './programs.mjs';
import { startRelay } from './relay/start.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */
/** @typedef {import('./programs.mjs').Running} Running */
/** @typedef {{ variables: Record<string, string> } & Running} StartedPart */

const FOREIGN_MIGRATIONS =
  'The database has migrations that differ from those in prisma/migrations. `npm run db:reset` deletes local data; a ' +
  'database of your own needs `npx prisma migrate status`.';

/** What prepares a run, and the files that it depends on. */
const STEPS = {
  check: {
    script: 'scripts/check-environment.ts',
    files: ['lib/integration/env.ts', 'lib/integration/env-rules.ts', 'lib/service/env.ts'],
  },
  seed: { script: 'prisma/seed.ts', files: ['lib/service/seed.ts', 'lib/service/create-program.ts'] }, // part: service
  // part: emulators
  catalogue: { script: 'scripts/create-catalogue.ts', files: ['lib/shop/catalogue.ts', 'lib/integration/plans.ts'] },
  // end: emulators
};

/**
 * The arguments of a step whose data is kept. A dashboard that people look at gets a history; tests begin with an empty one.
 * @type {Record<string, string[] | undefined>}
 */
const WHEN_KEPT = {
  seed: ['--history'], // part: service
};

/** The ports of a run: the one that people open, and the app's. @param {Environment} env */
export async function choosePorts(env) {
  const port = await choosePort(env, 'PORT', 3000);
  // part: emulators
  if (needsEmulators(env)) {
    // The recorder has the port that people open, and the app one behind it.
    const emulatorsPort = await choosePort(env, 'EMULATORS_PORT', port + 1);
    return { port, emulatorsPort, appPort: await freePort('localhost') };
  }
  // end: emulators
  return { port, appPort: port };
}

/** Applies the migrations that `env.DATABASE_URL` lacks. @param {Environment} env */
export const migrate = (env) => runNode([PRISMA, 'migrate', 'deploy'], env);

/**
 * A run without its app: its ports, its parts, and the environment in which the app is built and started.
 * @param {Environment} env @param {{ inMemory?: boolean, command?: string }} [options]
 */
export async function prepareRun(env, { inMemory = false, command = process.argv.slice(1).join(' ') } = {}) {
  const ports = await choosePorts(env);
  const appUrl = env.APP_URL ?? `http://localhost:${ports.port}`;
  /** @type {Array<{ name: string } & Running>} */
  const parts = [];
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop()));
  };
  /** @type {Array<Promise<Record<string, string>>>} each part of the run, with the variables that lead to it */
  const starting = [];
  const start = async (/** @type {string} */ name, /** @type {Promise<StartedPart>} */ part) => {
    const { variables, ...running } = await part;
    parts.push({ name, ...running });
    return variables;
  };
  if (!env.DATABASE_URL) {
    const database = startDatabase(inMemory ? IN_MEMORY : databaseDirectory(env), `${command}, ${appUrl}`);
    const withVariables = database.then(({ url, ...running }) => ({ variables: { DATABASE_URL: url }, ...running }));
    starting.push(start('The embedded database', withVariables));
  }
  // part: emulators
  if (ports.emulatorsPort) {
    const directory = inMemory ? IN_MEMORY : emulatorsDirectory(env);
    starting.push(start("The emulators' process", startEmulators(env, { appUrl, ports, directory })));
  }
  // end: emulators
  const started = await Promise.allSettled(starting);
  try {
    /** @type {Record<string, string>} */
    const addresses = { APP_URL: appUrl, ...(env.DATABASE_URL && { DATABASE_URL: env.DATABASE_URL }) };
    for (const part of started) {
      if (part.status === 'rejected') throw part.reason;
      Object.assign(addresses, part.value);
    }
    const complete = completeEnvironment(env, addresses);
    await prepareData(complete, { isKept: !inMemory, isStripeEmulated: decideEmulated(env).stripe });
    return { env: { NEXT_TELEMETRY_DISABLED: '1', ...complete }, appUrl, ports, parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Checks the variables, and fills what was started with the data that the app needs, where it lacks it.
 * @param {Environment} env @param {{ isKept: boolean, isStripeEmulated: boolean }} options
 */
async function prepareData(env, { isKept, isStripeEmulated }) {
  const step = async (/** @type {keyof typeof STEPS} */ name, /** @type {() => Promise<unknown>} */ read) => {
    const { script, files } = STEPS[name];
    const work = () => runScript(script, env, isKept ? WHEN_KEPT[name] : []);
    await (isKept ? whenChanged(env, { name, files: [script, ...files], read }, work) : work());
  };
  try {
    await step('check', async () => VARIABLES.filter((name) => name !== 'DATABASE_URL').map((name) => env[name]));
  } catch (error) {
    throw error instanceof ProgramError ? new Error(`${error.output}The app was not started.`) : error;
  }
  const catalogue = isStripeEmulated ? step('catalogue', () => readPrices(env)) : null; // part: emulators
  const readMigrated = () => findMigrated(env.DATABASE_URL ?? '', migrationsFor(env));
  if (!(await readMigrated())) {
    const database = await diagnoseDatabase(env.DATABASE_URL ?? '', migrationsFor(env));
    if (database.state === 'unusable') throw new Error(`${database.message}\nThe app was not started.`);
    await migrate(env);
    if (!(await readMigrated())) throw new Error(FOREIGN_MIGRATIONS);
  }
  // part: service
  await step('seed', async () => [await readMigrated(), env.SVC_API_KEY, env.SVC_OPEN_API_KEY]);
  // end: service
  await catalogue; // part: emulators
}

// part: emulators
/** The prices that the emulator has: a reset may have emptied it. @param {Environment} env */
async function readPrices({ STRIPE_API_URL, STRIPE_SECRET_KEY }) {
  const headers = { authorization: `Bearer ${STRIPE_SECRET_KEY}` };
  return (await fetch(`${STRIPE_API_URL}/v1/prices?limit=100`, { headers })).json();
}
// end: emulators

/**
 * Starts Next and resolves once it serves.
 * @param {'dev' | 'start'} mode @param {Environment} env
 * @param {{ port: number, logFile?: string }} options `logFile` takes what the app prints, instead of the terminal
 * @returns {Promise<Running>}
 */
export async function startApp(mode, env, { port, logFile }) {
  const args = [NEXT, mode, '-H', 'localhost', '-p', String(port)];
  const output = logFile ? openSync(logFile, 'a') : 'inherit';
  const child = spawnNode(args, { ...env, PORT: String(port) }, { stdout: output, stderr: output });
  const running = superviseChild(child);
  try {
    await untilServed(running, port);
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/**
 * Builds the app for a run with everything in memory, starts it, and hands over its environment and addresses.
 * @template Result
 * @param {Environment} env
 * @param {(run: { env: Environment, appUrl: string, directUrl: string }) => Promise<Result>} body `directUrl` leads to Next
 *   itself, past the recorder
 * @param {{ logFile?: string, start?: typeof startApp }} [options] `logFile` takes what the app prints; `start` is another
 *   way to start it
 */
export async function withBuiltApp(env, body, { logFile = devNull, start = startApp } = {}) {
  const run = await prepareRun(env, { inMemory: true });
  try {
    await runNode([NEXT, 'build'], run.env);
    const app = await start('start', run.env, { port: run.ports.appPort, logFile });
    try {
      return await body({ ...run, directUrl: `http://localhost:${run.ports.appPort}` });
    } finally {
      await app.stop();
    }
  } finally {
    await run.stop();
  }
}

/** @param {Running} app @param {number} port @param {string} [path] one that is served at once */
export async function untilServed(app, port, path = '/icon.svg') {
  let how = '';
  void app.ended.then((text) => {
    how = text;
  });
  for (;;) {
    if (how) throw new Error(`The app ${how} before it served.`);
    const response = await fetch(`http://localhost:${port}${path}`).catch(() => null);
    if (response?.ok) return;
    await delay(50);
  }
}

/**
 * Runs everything in the foreground until it is told to stop, and prints `ready <url>` when it serves; `start` makes the
 * production build first. Where one part ends by itself, the others are stopped and a message says which it was.
 * @param {'dev' | 'start'} mode @param {Environment} env
 * @param {{ isRelayed?: boolean }} [options] whether providers with test keys of yours are polled for their webhooks
 */
export async function runStack(mode, env, { isRelayed = true } = {}) {
  /** @type {Array<() => Promise<void>>} */
  const stops = [];
  let isStopping = false;
  const shutDown = async (/** @type {number} */ code) => {
    if (isStopping) return;
    isStopping = true;
    for (const stop of stops.reverse()) await stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => shutDown(0));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {}); // a closed terminal
  try {
    const run = await prepareRun(env, { command: mode === 'dev' ? 'npm run dev' : 'npm run preview' });
    stops.push(run.stop);
    if (mode === 'start') {
      console.log('Building for production. This takes about half a minute.');
      await runNode([NEXT, 'build'], run.env);
    }
    const app = await startApp(mode, run.env, { port: run.ports.appPort });
    stops.push(app.stop);
    console.log(`ready ${run.appUrl}`);
    const relay = isRelayed ? startRelay(env, run.env, `http://localhost:${run.ports.port}`) : null;
    if (relay) stops.push(relay.stop);
    // Next compiles a page when it is first asked for: the first one is ready when the browser is.
    if (mode === 'dev') void fetch(`http://localhost:${run.ports.appPort}/`).catch(() => {});
    const parts = [{ name: 'The app', ...app }, ...run.parts, ...(relay ? [{ name: 'The relay', ...relay }] : [])];
    const ends = parts.map(async ({ name, ended }) => `${name} ${await ended}.`);
    const message = await Promise.race(ends);
    if (!isStopping) console.error(`${message} Everything else is stopped.`);
    await shutDown(1);
  } catch (error) {
    if (!isStopping) console.error(error instanceof Error ? error.message : error);
    await shutDown(1);
  }
}
