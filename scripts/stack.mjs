// Starts what a local run consists of: the database, its migrations and demo data, the app, the shop's catalogue.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { decideSandbox } from '../lib/sandbox/switch.mjs';
import { startDatabase } from './database/start.mjs';
import { completeEnvironment, databaseDirectory } from './local-env.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */

const CATALOGUE = 'scripts/setup-stripe.ts';
const NEXT = 'node_modules/next/dist/bin/next';
const PRISMA = 'node_modules/prisma/build/index.js';

/**
 * Runs a Node program to its end; its output is shown only where it fails.
 * @param {string[]} args @param {Environment} env
 */
export async function runNode(args, env) {
  const child = spawn(process.execPath, args, {
    env: /** @type {NodeJS.ProcessEnv} */ (env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}\n${output}`);
  return output;
}

/** A TypeScript script of ours. @param {string} file @param {Environment} env @param {string[]} [args] */
export const runScript = (file, env, args = []) =>
  runNode(['--import', 'tsx', '--conditions=react-server', file, ...args], env);

/** Applies the migrations that `env.DATABASE_URL` lacks. @param {Environment} env */
export const migrate = (env) => runNode([PRISMA, 'migrate', 'deploy'], env);

/**
 * The database of a run, migrated and seeded: yours where `DATABASE_URL` is set, else the embedded one.
 * @param {Environment} env @param {{ port: number, inMemory?: boolean }} options
 */
export async function prepareEnvironment(env, { port, inMemory = false }) {
  const appUrl = env.APP_URL ?? `http://localhost:${port}`;
  const embedded = env.DATABASE_URL ? null : await startDatabase(inMemory ? 'memory://' : databaseDirectory(env));
  try {
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
  const child = spawn(process.execPath, [NEXT, mode, '-H', 'localhost', '-p', String(port)], {
    env: /** @type {NodeJS.ProcessEnv} */ (env),
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code]) => /** @type {number | null} */ (code));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The app ended with code ${child.exitCode} before it served.`);
    const answer = await fetch(`http://localhost:${port}/icon.svg`).catch(() => null);
    if (answer?.ok) break;
    await delay(100);
  }
  if (decideSandbox(env).stripe && existsSync(CATALOGUE)) {
    await runScript(CATALOGUE, env).catch(() =>
      console.error(`No plans yet: run \`npm run setup:stripe\` to see why.`),
    );
  }
  return { url: appUrl, exited, stop };
}

/**
 * Runs the whole stack in the foreground until it is told to stop, and prints `ready <url>` when it serves.
 * @param {'dev' | 'start'} mode @param {Environment} env
 */
export async function runStack(mode, env) {
  const port = Number(env.PORT ?? 3000);
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
