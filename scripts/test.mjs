// npm test: everything, in the order in which a mistake shows soonest. `node scripts/test.mjs [postgres] <step> …` runs parts of it.
// It never uses your keys or your data: variables of the project are unset, the database lives in memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { findChromium } from './chromium.mjs';
import { freePort } from './free-port.mjs';
import { startPostgres } from './postgres.mjs';
import { prepareEnvironment, startApp } from './stack.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */

const BIN = 'node_modules/.bin';
const NEXT = 'node_modules/next/dist/bin/next';
const REPORTS = 'test-results';

/** What the project reads, blank, so that neither the shell nor `.env.local` reaches the tests. */
const blanks = Object.fromEntries(
  Object.keys(parseEnv(readFileSync('.env.example', 'utf8'))).map((name) => [name, '']),
);
/** @type {Environment} */
const clean = { ...process.env, ...blanks, NEXT_TELEMETRY_DISABLED: '1', SANDBOX: 'on' };

/** The same for programs that read no `.env` file: unset altogether. */
const bare = Object.fromEntries(Object.entries(clean).filter(([, value]) => value));

/** @param {string} command @param {string[]} args @param {Environment} [env] */
async function run(command, args, env = clean) {
  const child = spawn(command, args, { stdio: 'inherit', env: /** @type {NodeJS.ProcessEnv} */ (env) });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with code ${code}`);
}

/** @param {string} name @param {string[]} args @param {Environment} [env] */
const vitest = (name, args, env) =>
  run(
    `${BIN}/vitest`,
    ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${REPORTS}/${name}.json`],
    env,
  );

async function ensureBrowser() {
  if (findChromium()) return;
  console.log('No Chromium found. Playwright installs its own; to use another, set PLAYWRIGHT_CHROMIUM to its path.');
  await run(`${BIN}/playwright`, ['install', 'chromium']);
}

/** @param {(env: Environment) => Promise<void>} body */
async function withApp(body) {
  const port = await freePort('localhost');
  const DATA_DIR = `${REPORTS}/data`;
  const database = process.env.TEST_DATABASE_URL ? { DATABASE_URL: process.env.TEST_DATABASE_URL } : {};
  const prepared = await prepareEnvironment({ ...bare, DATA_DIR, ...database }, { port, inMemory: true });
  try {
    const env = { ...blanks, ...prepared.env };
    const app = await startApp('start', env, { port, appUrl: prepared.appUrl, quiet: true });
    try {
      await body({ ...env, BASE_URL: app.url, CONTRACT_BASE_URL: app.url });
    } finally {
      await app.stop();
    }
  } finally {
    await prepared.stop();
  }
}

/** @type {Record<string, () => Promise<void>>} */
const steps = {
  lint: () => run(`${BIN}/biome`, ['check', '--error-on-warnings', '.']),
  typecheck: async () => {
    rmSync('.next/dev/types', { recursive: true, force: true }); // of an earlier `npm run dev`, which would contradict today's
    await run(process.execPath, [NEXT, 'typegen']);
    await run(`${BIN}/tsc`, ['--noEmit']);
  },
  unit: () => vitest('unit', ['--project', 'unit', '--project', 'database'], bare),
  build: () => run(process.execPath, [NEXT, 'build']),
  app: async () => {
    await ensureBrowser();
    await withApp(async (env) => {
      await vitest('contract', ['--project', 'contract'], env);
      await run(`${BIN}/playwright`, ['test'], env);
    });
  },
  e2e: async () => {
    await ensureBrowser();
    await withApp((env) => run(`${BIN}/playwright`, ['test', ...extra], env));
  },
};

/** The runners' own counts, added up. */
function countTests() {
  let passed = 0;
  let failed = 0;
  for (const name of ['unit', 'contract', 'e2e']) {
    const file = `${REPORTS}/${name}.json`;
    if (!existsSync(file)) continue;
    const report = JSON.parse(readFileSync(file, 'utf8'));
    passed += report.numPassedTests ?? report.stats.expected;
    failed += report.numFailedTests ?? report.stats.unexpected + report.stats.flaky;
  }
  return `${passed} passed, ${failed} failed`;
}

/** The same tests on a PostgreSQL: the one that TEST_DATABASE_URL names, else one started for this run. */
async function choosePostgres() {
  if (process.env.TEST_DATABASE_URL) return async () => {};
  const server = await startPostgres();
  process.env.TEST_DATABASE_URL = clean.TEST_DATABASE_URL = server.url;
  return server.stop;
}

const split = process.argv.indexOf('--');
const extra = split < 0 ? [] : process.argv.slice(split + 1);
const words = process.argv.slice(2, split < 0 ? undefined : split);
const onPostgres = words[0] === 'postgres';
const asked = onPostgres ? words.slice(1) : words;
let stopPostgres = async () => {};
rmSync(REPORTS, { recursive: true, force: true });
try {
  if (onPostgres) stopPostgres = await choosePostgres();
  for (const name of asked.length > 0 ? asked : ['lint', 'typecheck', 'unit', 'build', 'app']) {
    const step = steps[name];
    if (!step) throw new Error(`There is no step ${name}. Steps: ${Object.keys(steps).join(', ')}.`);
    const started = performance.now();
    await step();
    console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await stopPostgres();
}
console.log(countTests());
