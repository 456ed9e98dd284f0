// npm test: everything, fastest checks first. `node scripts/test.mjs [postgres] <step> … [--repeat N]` runs parts of it, or runs
// them N times and counts the runs that failed.
// It never uses your keys or your data: variables of the project are unset, the database lives in memory.
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { findLeaks } from './check-log.mjs'; // part: emulators, service
import { bareEnvironment, blankEnvironment } from './local-env.mjs';
import { freePort } from './ports.mjs'; // part: emulators, service
import { startPostgres } from './postgres.mjs';
import { checkInstallation, NEXT, spawnNode } from './programs.mjs';
import { buildOnRealKeys } from './real-build.mjs'; // part: service
import { startRoundRobin } from './round-robin.mjs'; // part: emulators, service
import { startApp, withBuiltApp } from './stack.mjs'; // part: emulators, service

/** @typedef {import('./local-env.mjs').Environment} Environment */

const BIN = 'node_modules/.bin';
const REPORTS = 'test-results';

/** What the project reads, blank, so that neither the shell nor `.env.local` reaches the tests. @type {Environment} */
const clean = { ...blankEnvironment(), NEXT_TELEMETRY_DISABLED: '1' };

/** The same, unset altogether. @type {Environment} */
const bare = { ...bareEnvironment(), NEXT_TELEMETRY_DISABLED: '1' };

/** Runs a Node program, which ends with this one, however this one ends. @param {string[]} args @param {Environment} [env] */
async function run(args, env = clean) {
  const [code] = await once(spawnNode(args, env), 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}`);
}

/** @param {string} name @param {string[]} args @param {Environment} [env] */
const vitest = (name, args, env) =>
  run(
    [
      `${BIN}/vitest`,
      'run',
      ...args,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${REPORTS}/${name}.json`,
    ],
    env,
  );

/** @param {() => Promise<void>} step */
const inBrowser = (step) => async () => {
  const browser = await import('./chromium.mjs'); // it needs Playwright, which may not be installed
  await browser.ensureBrowser();
  await step();
};

// part: emulators, service
/**
 * @param {(env: Environment) => Promise<void>} body gets the environment of an app that was built and started for it
 * @param {Parameters<typeof withBuiltApp>[2]} [options]
 */
async function withApp(body, options) {
  const DATA_DIR = `${REPORTS}/data`;
  const database = process.env.TEST_DATABASE_URL ? { DATABASE_URL: process.env.TEST_DATABASE_URL } : {};
  const [PORT, EMULATORS_PORT] = [String(await freePort('localhost')), String(await freePort('localhost'))];
  const logFile = `${REPORTS}/app.log`;
  const checkLogAfter = async (/** @type {{ env: Environment, appUrl: string }} */ { env, appUrl }) => {
    await body({ ...clean, ...env, BASE_URL: appUrl, CONTRACT_BASE_URL: appUrl });
    const leaks = findLeaks(readFileSync(logFile, 'utf8'), env);
    if (leaks.length > 0) throw new Error(`${logFile} holds what no log may hold:\n${leaks.join('\n')}`);
  };
  await withBuiltApp({ ...bare, DATA_DIR, ...database, PORT, EMULATORS_PORT }, checkLogAfter, { logFile, ...options });
}

/** Two processes of the app where one would be, each request to the other one. @type {typeof startApp} */
async function startTwoApps(mode, env, { port, ...options }) {
  const ports = [await freePort('localhost'), await freePort('localhost')];
  const apps = ports.map((own) => startApp(mode, env, { port: own, ...options }));
  const parts = [...apps, startRoundRobin(ports, port)];
  const stop = async () => {
    await Promise.all(parts.map((part) => part.then((started) => started.stop()).catch(() => {})));
  };
  try {
    await Promise.all(parts);
    const ends = (await Promise.all(apps)).map(({ ended }) => ended);
    return { pid: process.pid, ended: Promise.race(ends), stop };
  } catch (error) {
    await stop(); // one that has started would keep this process alive
    throw error;
  }
}

/** The contract tests, and every walk in a browser. @param {Environment} env */
async function testApp(env) {
  await vitest('contract', ['--project', 'contract'], env);
  await run([`${BIN}/playwright`, 'test', ...extra], env);
}
// end: emulators, service

/** @param {number} started */
const seconds = (started) => `${((performance.now() - started) / 1000).toFixed(1)} s`;

/** @type {Record<string, () => Promise<void>>} */
const steps = {
  lint: async () => {
    await run([`${BIN}/biome`, 'check', '--error-on-warnings', '.']);
    await run(['scripts/lint-words.mjs']);
  },
  typecheck: async () => {
    rmSync('.next/dev/types', { recursive: true, force: true }); // of an earlier `npm run dev`, which would contradict today's
    await run([NEXT, 'typegen']);
    await Promise.all([
      run([`${BIN}/tsc`, '--noEmit']),
      run([`${BIN}/tsc`, '--noEmit', '-p', 'emulators']), // part: emulators
    ]);
  },
  // What a developer runs at each edit. A file's path after `--` runs that file only.
  unit: () => vitest('unit', ['--project', 'unit', '--project', 'database', ...extra], bare),
  programs: () => vitest('programs', ['--project', 'programs', ...extra], bare),
  emulators: () => vitest('emulators', ['--project', 'emulators', ...extra], bare), // part: emulators
  // In `npm test`, whatever starts programs is one run: while one test waits for its program, another has work.
  processes: () => {
    const projects = ['--project', 'programs'];
    projects.push('--project', 'emulators'); // part: emulators
    return vitest('processes', [...projects, ...extra], bare);
  },
  // part: emulators, service
  app: inBrowser(() => withApp(testApp)),
  // Two processes on one database: no state that matters lives in a process.
  'two-processes': inBrowser(() => withApp(testApp, { start: startTwoApps })),
  e2e: inBrowser(() => withApp((env) => run([`${BIN}/playwright`, 'test', ...extra], env))),
  gallery: inBrowser(async () => {
    const { startGallery } = await import('./gallery.mjs');
    const gallery = await startGallery();
    try {
      const env = { ...clean, GALLERY_URL: gallery.url };
      await run([`${BIN}/playwright`, 'test', '--config', 'scripts/gallery', ...extra], env);
    } finally {
      gallery.stop();
    }
  }),
  // end: emulators, service
  // part: service
  reliability: async () => vitest('reliability', ['--project', 'reliability', ...extra], await buildOnRealKeys()),
  security: async () => vitest('security', ['--project', 'security', ...extra], await buildOnRealKeys()),
  // end: service
  'real-keys': inBrowser(() => run(['scripts/test-real-keys.mjs'])),
  // The one step that uses your keys, if you have test keys.
  'test-mode': inBrowser(() => run(['scripts/test-test-mode.mjs'], process.env)),
};

/** `npm test`, fastest checks first. */
const EVERYTHING = ['lint', 'typecheck', 'unit', 'processes', 'app'];

const WALKS = ['e2e.json', 'e2e'];
const APP = ['contract.json', 'app.log', 'data', ...WALKS]; // part: emulators, service

/** What these steps write to REPORTS; every other one writes what is named like it. @type {Record<string, string[]>} */
const OUTPUTS = {
  // part: emulators, service
  app: APP,
  'two-processes': APP,
  e2e: APP,
  // end: emulators, service
  'real-keys': WALKS,
};

/** @param {string[]} names of steps @returns paths, each once */
const outputsOf = (names) => {
  const outputs = names.flatMap((name) => OUTPUTS[name] ?? [`${name}.json`, name]);
  return [...new Set(outputs)].map((name) => `${REPORTS}/${name}`);
};

/** Prints the runners' own counts, added up; steps such as lint have none. @param {string[]} names of steps */
function printCounts(names) {
  let passed = 0;
  let failed = 0;
  for (const file of outputsOf(names)) {
    if (!file.endsWith('.json') || !existsSync(file)) continue;
    const report = JSON.parse(readFileSync(file, 'utf8'));
    passed += report.numPassedTests ?? report.stats.expected;
    failed += report.numFailedTests ?? report.stats.unexpected + report.stats.flaky;
  }
  if (passed + failed > 0) console.log(`${passed} passed, ${failed} failed`);
}

/** The same tests on a PostgreSQL: the one that TEST_DATABASE_URL names, else one started for this run. */
async function choosePostgres() {
  if (process.env.TEST_DATABASE_URL) return async () => {};
  const server = await startPostgres();
  for (const env of [process.env, clean, bare]) env.TEST_DATABASE_URL = server.url;
  return server.stop;
}

const split = process.argv.indexOf('--');
const extra = split < 0 ? [] : process.argv.slice(split + 1);
const words = process.argv.slice(2, split < 0 ? undefined : split);
const repeatAt = words.indexOf('--repeat');
const runs = repeatAt < 0 ? 1 : Number(words.splice(repeatAt, 2)[1]);
const onPostgres = words[0] === 'postgres';
const named = onPostgres ? words.slice(1) : words;
const asked = named.length > 0 ? named : EVERYTHING;
let stopPostgres = async () => {};
let failedRuns = 0;

/** @param {unknown} error */
function reportFailure(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function runOnce() {
  // Those of these steps only: others may be running in another terminal.
  for (const output of outputsOf(asked)) rmSync(output, { recursive: true, force: true });
  try {
    for (const name of asked) {
      const started = performance.now();
      await steps[name]?.();
      console.log(`${name}: ${seconds(started)}\n`);
    }
  } catch (error) {
    reportFailure(error);
    failedRuns += 1;
  }
  printCounts(asked);
}

try {
  if (!(runs >= 1)) throw new Error('--repeat needs the number of runs, such as --repeat 20.');
  const unknown = asked.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length > 0) {
    throw new Error(`There is no step ${unknown.join(', ')}. Steps: ${Object.keys(steps).join(', ')}.`);
  }
  checkInstallation();
  if (onPostgres) stopPostgres = await choosePostgres();
  for (let run = 1; run <= runs; run++) await runOnce();
  if (runs > 1) console.log(`${runs} runs, ${failedRuns} failed`);
} catch (error) {
  reportFailure(error);
} finally {
  await stopPostgres();
}
