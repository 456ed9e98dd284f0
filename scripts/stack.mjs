// Starts what a local run consists of: the database, the emulators and the app.
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { createInterface } from 'node:readline'; // part: emulators
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util';
import { isLoopback } from '../provider-addresses.mjs';
import { chooseAddress, IN_MEMORY, startDatabase } from './database/start.mjs';
// part: emulators
import {
  decideEmulated,
  emulatorsDirectory,
  isTraced,
  needsEmulators,
  startEmulators,
  tracedAddresses,
} from './emulators.mjs';
// end: emulators
import { buildDirectory, completeEnvironment, databaseDirectory, loadEnvironment, readDemoEnv } from './local-env.mjs';
import { readOptions } from './options.mjs';
import { choosePort, freePort } from './ports.mjs';
import { isKnownEnvironment, prepareData } from './prepare-data.mjs';
import { buildForTests, checkInstallation, NEXT, onEnd, runNode, spawnNode, superviseChild } from './programs.mjs';
import { startRelay } from './relay/start.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */
/** @typedef {import('./programs.mjs').Running} Running */
/** @typedef {{ variables?: Record<string, string> } & Running} StartedPart */
/** @typedef {Awaited<ReturnType<typeof prepareRun>>} Run */

/** What every app of a run is started with. Next would kill its server 100 ms after a signal, while it saves what it has compiled. */
const ALWAYS = { NEXT_TELEMETRY_DISABLED: '1', NEXT_EXIT_TIMEOUT_MS: '5000' };

/** The ports of a run: the one that people open, and the app's. @param {Environment} env */
export async function choosePorts(env) {
  // What listens at an APP_URL on this machine is the app, unless PORT says that something stands between them.
  const url = !env.PORT && env.APP_URL && isLoopback(env.APP_URL) ? new URL(env.APP_URL) : null;
  const named = url?.protocol === 'http:' ? { APP_URL: url.port || '80' } : null;
  const port = await (named ? choosePort(named, 'APP_URL', 3000) : choosePort(env, 'PORT', 3000));
  // part: emulators
  if (needsEmulators(env)) {
    // The recorder has the port that people open, and the app one behind it.
    const emulatorsPort = await choosePort(env, 'EMULATORS_PORT', port + 1);
    if (emulatorsPort === port) {
      throw new Error(`App and emulators cannot both have port ${port}. Set PORT or EMULATORS_PORT to another one.`);
    }
    return { port, emulatorsPort, appPort: isTraced ? await freePort('localhost') : port };
  }
  // end: emulators
  return { port, appPort: port };
}

/**
 * A run without its app: its ports, its parts, its environment, and that in which the app is built and started.
 * @param {Environment} env
 * @param {{ inMemory?: boolean, isBuilt?: boolean, command?: string, onForeseen?: (env: Environment, ports: Awaited<ReturnType<typeof choosePorts>>) => void }} options
 *   `isBuilt` makes the production build, while the data is prepared; `onForeseen` is called before the parts start, if the
 *   environment will probably be that of the last run
 */
export async function prepareRun(
  env,
  { inMemory = false, isBuilt = false, command = process.argv.slice(1).join(' '), onForeseen },
) {
  checkInstallation();
  const ports = await choosePorts(env);
  const appUrl = env.APP_URL ?? `http://localhost:${ports.port}`;
  const databaseUrl = env.DATABASE_URL ?? (await chooseAddress());
  /** @type {Record<string, string>} */
  const addresses = { APP_URL: appUrl, DATABASE_URL: databaseUrl };
  const foreseen = { ...readDemoEnv(env), ...addresses, ...env };
  const forApp = {
    ...ALWAYS,
    ...tracedAddresses(env, ports.emulatorsPort), // part: emulators
  };
  if (onForeseen && (await isKnownEnvironment(foreseen))) onForeseen({ ...foreseen, ...forApp }, ports);
  /** @type {Array<{ name: string } & Running>} */
  const parts = [];
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop()));
  };
  const start = async (/** @type {string} */ name, /** @type {Promise<StartedPart>} */ part) => {
    const { variables, ...running } = await part;
    parts.push({ name, ...running });
    Object.assign(addresses, variables);
  };
  const starting = [];
  if (!env.DATABASE_URL) {
    const database = startDatabase(inMemory ? IN_MEMORY : databaseDirectory(env), `${command}, ${appUrl}`, databaseUrl);
    starting.push(start('The embedded database', database));
  }
  // part: emulators
  if (ports.emulatorsPort) {
    const directory = inMemory ? IN_MEMORY : emulatorsDirectory(env);
    starting.push(start("The emulators' process", startEmulators(env, { appUrl, ports, directory })));
  }
  // end: emulators
  const started = await Promise.allSettled(starting);
  try {
    for (const part of started) if (part.status === 'rejected') throw part.reason;
    const complete = completeEnvironment(env, addresses);
    const appEnv = { ...complete, ...forApp };
    const prepared = await Promise.allSettled([
      prepareData(complete, { isKept: !inMemory, isStripeEmulated: decideEmulated(env).stripe }),
      isBuilt && buildForTests(appEnv),
    ]);
    for (const step of prepared) if (step.status === 'rejected') throw step.reason;
    return { env: { ...ALWAYS, ...complete }, appEnv, appUrl, ports, parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param {'dev' | 'start'} mode @param {Environment} env @param {number} port @param {Parameters<typeof spawnNode>[2]} [output] */
const spawnApp = (mode, env, port, output) =>
  spawnNode([NEXT, mode, '-H', 'localhost', '-p', String(port)], { ...env, PORT: String(port) }, output);

/**
 * Starts Next in the terminal.
 * @param {'dev' | 'start'} mode @param {Environment} env @param {Run['ports']} ports
 */
function launchApp(mode, env, ports) {
  // part: emulators
  if (ports.appPort !== ports.port) return launchBehindRecorder(mode, env, ports.appPort);
  // end: emulators
  return superviseChild(spawnApp(mode, env, ports.appPort));
}

// part: emulators
/**
 * What keeps the colors of a program whose output passes through a pipe. What the shell says about colors stands.
 * @param {Environment} env @param {{ isTTY?: boolean }} output where it is printed in the end
 * @returns {Environment}
 */
export const chooseColors = (env, { isTTY }) =>
  isTTY && !env.NO_COLOR && !env.FORCE_COLOR ? { FORCE_COLOR: '1' } : {};

/**
 * The addresses that Next prints would lead past the recorder, whose port people open.
 * @param {'dev' | 'start'} mode @param {Environment} env @param {number} port
 */
function launchBehindRecorder(mode, env, port) {
  const app = spawnApp(mode, { ...env, ...chooseColors(env, process.stdout) }, port, { stdout: 'pipe' });
  if (app.stdout) {
    createInterface(app.stdout).on('line', (line) => {
      if (!/^\W*(Local|Network):/.test(stripVTControlCharacters(line))) console.log(line);
    });
  }
  return superviseChild(app);
}
// end: emulators

/**
 * Starts Next and resolves once it serves.
 * @param {'dev' | 'start'} mode @param {Environment} env @param {{ port: number, logFile: string }} options `logFile` takes what
 *   it prints
 * @returns {Promise<Running>}
 */
export async function startApp(mode, env, { port, logFile }) {
  const log = openSync(logFile, 'a');
  const running = superviseChild(spawnApp(mode, env, port, { stdout: log, stderr: log }));
  await untilServed(running, port);
  return running;
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
  const run = await prepareRun({ NEXT_DIST_DIR: buildDirectory(env), ...env }, { inMemory: true, isBuilt: true });
  try {
    const app = await start('start', run.appEnv, { port: run.ports.appPort, logFile });
    try {
      return await body({ ...run, directUrl: `http://localhost:${run.ports.appPort}` });
    } finally {
      await app.stop();
    }
  } finally {
    await run.stop();
  }
}

/** An app that responds is started: if it still responds with errors after this time, it will not serve. */
const LONGEST_FAILURE_MS = 30_000;

/**
 * Resolves once the app serves; an app that will not is stopped.
 * @param {Running} app @param {number} port @param {string} [path] one that is served at once
 * @param {(response: Response) => boolean} [isServed] whether this is the response that is waited for
 */
export async function untilServed(app, port, path = '/icon.svg', isServed = ({ ok }) => ok) {
  let how = '';
  let failingSince = Number.POSITIVE_INFINITY;
  void app.ended.then((text) => {
    how = text;
  });
  for (;;) {
    if (how) throw new Error(`The app ${how} before it served.`);
    const response = await fetch(`http://localhost:${port}${path}`).catch(() => null);
    if (response && isServed(response)) return;
    if (response) failingSince = Math.min(failingSince, performance.now());
    if (performance.now() - failingSince > LONGEST_FAILURE_MS) {
      await app.stop();
      throw new Error(`The app responds, but not as expected: ${path} has status ${response?.status ?? 'none'}.`);
    }
    await delay(50);
  }
}

/**
 * `npm run dev` and `npm run preview`, with their options: runs everything in the foreground until it is told to stop, and prints
 * `ready <url>` when it serves; `start` makes the production build first. Where one part ends by itself, the others are stopped
 * and a message says which it was.
 * @param {'dev' | 'start'} mode
 */
export async function runStack(mode) {
  const options = readOptions({
    'no-relay': { type: 'boolean' },
    'no-trace': { type: 'boolean' }, // part: emulators
  });
  const env = loadEnvironment();
  /** @type {{ app?: Running, run?: Run, relay?: Running | null }} */
  const started = {};
  let isStopping = false;
  const shutDown = async (/** @type {number} */ code) => {
    if (isStopping) return;
    isStopping = true;
    await started.relay?.stop();
    await started.app?.stop();
    await started.run?.stop();
    process.exit(code);
  };
  onEnd(env, () => shutDown(0));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {}); // a closed terminal
  try {
    // part: emulators
    if (env.EMULATORS_URL)
      throw new Error('This shell has the variables of an earlier run or of other emulators. Run this in a new shell.');
    // end: emulators
    const run = await prepareRunWithApp(mode, { NEXT_DIST_DIR: buildDirectory(env), ...env }, started);
    const { port, appPort } = run.ports;
    if (isStopping) return; // `shutDown` stops what is started, and ends this process
    if (mode === 'start') {
      console.log('Building for production. This takes about half a minute.');
      await runNode([NEXT, 'build'], run.appEnv);
      if (isStopping) return;
    }
    const app = (started.app ??= launchApp(mode, run.appEnv, run.ports));
    // Next compiles a page when it is first asked for: the browser is about to ask for this one, which may be an error page.
    const isAny = () => true;
    if (mode === 'dev') void untilServed(app, appPort, '/', isAny).catch(() => {});
    await untilServed(app, appPort, '/icon.svg', mode === 'dev' ? isAny : undefined);
    if (isStopping) return;
    console.log(`ready ${run.appUrl}`);
    if (run.ports.emulatorsPort) console.log(`control room http://localhost:${run.ports.emulatorsPort}`); // part: emulators
    const relay = (started.relay = options['no-relay'] ? null : startRelay(env, run.env, `http://localhost:${port}`));
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

/**
 * Prepares a run. In development its app starts beside the other parts, on the environment of the last run; if that turns
 * out to be another one, the app is stopped again.
 * @param {'dev' | 'start'} mode @param {Environment} env @param {{ app?: Running, run?: Run }} started is filled
 * @returns {Promise<Run>}
 */
async function prepareRunWithApp(mode, env, started) {
  /** @type {Environment | undefined} */
  let appEnv;
  const onForeseen = (/** @type {Environment} */ foreseen, /** @type {Run['ports']} */ ports) => {
    appEnv = foreseen;
    started.app = launchApp(mode, foreseen, ports);
  };
  const command = mode === 'dev' ? 'npm run dev' : 'npm run preview';
  const run = await prepareRun(env, { command, ...(mode === 'dev' && { onForeseen }) });
  started.run = run;
  if (started.app && !isDeepStrictEqual(appEnv, run.appEnv)) {
    await started.app.stop();
    delete started.app;
  }
  return run;
}
