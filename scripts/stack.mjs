// Starts what a local run consists of: the database, its migrations and demo data, the app, the shop's catalogue.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { decideSandbox } from '../lib/sandbox/switch.mjs';
import { startDatabase } from './database/start.mjs';
import { assertPortIsFree, readPort } from './free-port.mjs';
import { completeEnvironment, databaseDirectory, planEnvironment } from './local-env.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */

const CHECK = 'scripts/check-environment.ts';
const CATALOGUE = 'scripts/setup-stripe.ts';
const NEXT = 'node_modules/next/dist/bin/next';
const PRISMA = 'node_modules/prisma/build/index.js';
const TYPESCRIPT = ['--import', 'tsx', '--conditions=react-server'];

/**
 * Starts a Node program that does not outlive this process.
 * @param {string[]} args @param {Environment} env @param {import('node:child_process').StdioOptions} stdio
 */
export function spawnNode(args, env, stdio) {
  const child = spawn(process.execPath, args, { env: /** @type {NodeJS.ProcessEnv} */ (env), stdio });
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/**
 * Runs a Node program to its end; its output is shown only where it fails.
 * @param {string[]} args @param {Environment} env
 */
export async function runNode(args, env) {
  const child = spawnNode(args, env, ['ignore', 'pipe', 'pipe']);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}\n${output}`);
  return output;
}

/** A TypeScript script of ours. @param {string} file @param {Environment} env @param {string[]} [args] */
export const runScript = (file, env, args = []) => runNode([...TYPESCRIPT, file, ...args], env);

/** Applies the migrations that `env.DATABASE_URL` lacks. @param {Environment} env */
export const migrate = (env) => runNode([PRISMA, 'migrate', 'deploy'], env);

/** @param {Environment} env @param {number} port */
const appUrlOf = (env, port) => env.APP_URL ?? `http://localhost:${port}`;

/**
 * Lets variables that are wrong stop a run before anything is started or built: each is named on stderr.
 * @param {Environment} env @param {number} port
 */
export async function checkEnvironment(env, port) {
  const databaseUrl = env.DATABASE_URL ?? 'postgresql://embedded';
  const { complete } = planEnvironment(env, { appUrl: appUrlOf(env, port), databaseUrl, port });
  const child = spawnNode([...TYPESCRIPT, CHECK], complete, ['ignore', 'ignore', 'inherit']);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('Nothing was started.');
}

/**
 * The database of a run, migrated and seeded: yours where `DATABASE_URL` is set, else the embedded one.
 * @param {Environment} env @param {{ port: number, inMemory?: boolean }} options
 */
export async function prepareEnvironment(env, { port, inMemory = false }) {
  const appUrl = appUrlOf(env, port);
  const checked = checkEnvironment(env, port).then(
    () => null,
    (/** @type {unknown} */ error) => ({ error }),
  );
  const embedded = env.DATABASE_URL ? null : await startDatabase(inMemory ? 'memory://' : databaseDirectory(env));
  try {
    const failed = await checked;
    if (failed) throw failed.error;
    const databaseUrl = embedded?.url ?? /** @type {string} */ (env.DATABASE_URL);
    const complete = completeEnvironment(env, { appUrl, databaseUrl, port });
    await migrate(complete);
    await runScript('prisma/seed.ts', complete);
    return { env: complete, appUrl, stop: async () => embedded?.stop() };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/**
 * Starts Next and resolves once it serves.
 * @param {'dev' | 'start'} mode @param {Environment} env @param {{ port: number, appUrl: string, quiet?: boolean }} options
 */
export async function startApp(mode, env, { port, appUrl, quiet = false }) {
  const args = [NEXT, mode, '-H', 'localhost', '-p', String(port)];
  const child = spawnNode(args, env, ['ignore', quiet ? 'ignore' : 'inherit', 'inherit']);
  const exited = once(child, 'exit').then(([code]) => /** @type {number | null} */ (code));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    await untilServed(child, port);
    if (decideSandbox(env).stripe && existsSync(CATALOGUE)) {
      await runScript(CATALOGUE, env).catch(() =>
        console.error(`No plans yet: run \`npm run setup:stripe\` to see why.`),
      );
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: appUrl, exited, stop };
}

/** @param {import('node:child_process').ChildProcess} app @param {number} port */
export async function untilServed(app, port) {
  for (;;) {
    const end = app.exitCode ?? app.signalCode;
    if (end !== null) throw new Error(`The app ended (${end}) before it served.`);
    const answer = await fetch(`http://localhost:${port}/icon.svg`).catch(() => null);
    if (answer?.ok) return;
    await delay(100);
  }
}

/**
 * Runs the whole stack in the foreground until it is told to stop, and prints `ready <url>` when it serves; `start`
 * makes the production build first.
 * @param {'dev' | 'start'} mode @param {Environment} env
 */
export async function runStack(mode, env) {
  /** @type {Array<() => Promise<void>>} */
  const stops = [];
  let stopping = false;
  const shutDown = async (/** @type {number} */ code) => {
    if (stopping) return;
    stopping = true;
    for (const stop of stops.reverse()) await stop();
    process.exit(code);
  };
  process.on('SIGINT', () => shutDown(0));
  process.on('SIGTERM', () => shutDown(0));
  try {
    const port = readPort(env);
    await assertPortIsFree(port);
    if (mode === 'start') {
      await checkEnvironment(env, port); // before the build, which takes the longest
      await runNode([NEXT, 'build'], env);
    }
    const prepared = await prepareEnvironment({ NEXT_TELEMETRY_DISABLED: '1', ...env }, { port });
    stops.push(prepared.stop);
    const app = await startApp(mode, prepared.env, { port, appUrl: prepared.appUrl });
    stops.push(app.stop);
    console.log(`ready ${app.url}`);
    await shutDown((await app.exited) ?? 0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await shutDown(1);
  }
}
