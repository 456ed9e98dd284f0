// Starts the programs of a run as child processes. None outlives the process that started it, however that one ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./local-env.mjs').Environment} Environment */
/** @typedef {'ignore' | 'inherit' | 'pipe' | number} Output a number is an open file */
/** @typedef {{ pid: number, ended: Promise<string>, stop(): Promise<void> }} Running `ended` says how; it never rejects */

const WITH_PARENT = ['--import', new URL('./with-parent.mjs', import.meta.url).href];
const TYPESCRIPT = ['--import', 'tsx', '--conditions=react-server'];
const STOP_LIMIT_MS = 8_000;
const PARENT_CHECK_MS = 500;

/** The project's own programs, in node_modules. */
export const NEXT = fileURLToPath(new URL('../node_modules/next/dist/bin/next', import.meta.url));
export const PRISMA = fileURLToPath(new URL('../node_modules/prisma/build/index.js', import.meta.url));

/** @param {string} [directory] @throws if npm has not installed all that a local run needs, with the command that does */
export function checkInstallation(directory = '.') {
  const lacks = (/** @type {string} */ place) => !existsSync(path.join(directory, place));
  if (lacks('node_modules/tsx')) {
    throw new Error(
      'npm has left out the development packages, as it does with NODE_ENV=production or omit=dev. Run this first: npm ci --include=dev',
    );
  }
  if (lacks('prisma/generated')) {
    throw new Error('npm has installed without running scripts. Run this first: node scripts/postinstall.mjs');
  }
}

/**
 * Starts a Node program. It can be told things by IPC, and ends when the channel closes.
 * @param {string[]} args @param {Environment} env @param {{ stdout?: Output, stderr?: Output }} [output]
 */
export function spawnNode(args, env, { stdout = 'inherit', stderr = 'inherit' } = {}) {
  return spawn(process.execPath, [...WITH_PARENT, ...args], {
    env: { .../** @type {NodeJS.ProcessEnv} */ (env), STARTED_BY: String(process.pid) },
    stdio: ['ignore', stdout, stderr, 'ipc'],
  });
}

/** A program that has failed, with what it printed. */
export class ProgramError extends Error {
  /** @param {string} name @param {number | null} code @param {string} output */
  constructor(name, code, output) {
    super(`${name} ended with code ${code}\n${output}`);
    this.output = output;
  }
}

/**
 * Runs a Node program to its end; its output is shown only if it fails.
 * @param {string[]} args @param {Environment} env
 * @returns {Promise<string>} the output; rejects with a ProgramError
 */
export async function runNode(args, env) {
  const child = spawnNode(args, env, { stdout: 'pipe', stderr: 'pipe' });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new ProgramError(args.join(' '), code, output);
  return output;
}

/** The production build, for tests: they check types in a step of their own. @param {Environment} env */
export const buildForTests = (env) => runNode([NEXT, 'build'], { ...env, NEXT_TYPES: 'checked' });

/** Starts a TypeScript program of ours. @param {string} file @param {Environment} env @param {string[]} [args] */
export const spawnScript = (file, env, args = []) => spawnNode([...TYPESCRIPT, file, ...args], env);

/** Runs a TypeScript script of ours. @param {string} file @param {Environment} env @param {string[]} [args] */
export const runScript = (file, env, args = []) => runNode([...TYPESCRIPT, file, ...args], env);

const CHECK = fileURLToPath(new URL('./check-environment.ts', import.meta.url));

/**
 * @param {Environment} env @param {'build' | 'run'} stage
 * @returns {Promise<string[]>} what is wrong with the variables, a line each; none if nothing is
 */
export async function findVariableProblems(env, stage) {
  try {
    await runScript(CHECK, env, [stage]);
    return [];
  } catch (error) {
    if (error instanceof ProgramError) return error.output.trimEnd().split('\n');
    throw error;
  }
}

/**
 * Calls `stop` when this command is told to end. One that npm has started also ends with npm, which passes SIGHUP to no one and
 * cannot pass a SIGKILL.
 * @param {Environment} env @param {() => unknown} stop may be called more than once
 */
export function onEnd(env, stop) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  if (!env.npm_lifecycle_event) return; // a shell may leave a command running
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop(), PARENT_CHECK_MS).unref();
}

/**
 * Watches a program that runs until it is told to stop.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Running}
 */
export function superviseChild(child) {
  const ended = new Promise((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`)),
  );
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
