// The environment of a local run: what you set wins; what is missing is generated once and kept in $DATA_DIR/demo.env,
// which shells can source too.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import nextEnv from '@next/env';
import { generateServiceSecrets } from '../lib/service/switch.mjs'; // part: service

/** @typedef {Record<string, string | undefined>} Environment */

/** Every variable of the project. */
export const VARIABLES = Object.keys(parseEnv(readFileSync(new URL('../.env.example', import.meta.url), 'utf8')));

/** This process's environment without NODE_ENV: a shell exports it for other projects, and each program of ours sets its own. */
function inherited() {
  const { NODE_ENV, ...others } = process.env;
  return others;
}

/**
 * The process's environment with the files that Next reads (`.env`, `.env.local`, …); blank means unset, and space around a value is no part of it.
 * @param {{ dev?: boolean }} [options] false for production: its files, and its NODE_ENV
 * @returns {Environment}
 */
export function loadEnvironment({ dev = true } = {}) {
  // A shell may export it, and Next would then read no .env.local. Vitest sets it for tests, which are to read none.
  if (process.env.NODE_ENV === 'test' && !process.env.VITEST) Reflect.deleteProperty(process.env, 'NODE_ENV');
  nextEnv.loadEnvConfig(process.cwd(), dev, { info: () => {}, error: console.error });
  const trimmed = Object.entries(inherited()).map(([name, value]) => [name, value?.trim()]);
  return { ...Object.fromEntries(trimmed.filter(([, value]) => value)), ...(!dev && { NODE_ENV: 'production' }) };
}

/** The file for production that sets a variable, if there is one. @param {string} name */
export const findProductionFile = (name) =>
  ['.env.production.local', '.env.production'].find(
    (file) => existsSync(file) && parseEnv(readFileSync(file, 'utf8'))[name]?.trim(),
  );

/**
 * This process's environment without the project's variables. Programs that get it leave the `.env` files alone, too: the last
 * variable is what Next's loader sets once it has read them.
 * @returns {Environment}
 */
export const bareEnvironment = () => ({
  ...Object.fromEntries(Object.entries(inherited()).filter(([name]) => !VARIABLES.includes(name))),
  __NEXT_PROCESSED_ENV: 'true',
});

/**
 * The same with the project's variables blank, which keeps a program that reads the `.env` files from taking theirs.
 * @returns {Environment}
 */
export const blankEnvironment = () => ({
  ...inherited(),
  ...Object.fromEntries(VARIABLES.map((name) => [name, ''])),
});

/** @param {Environment} env */
export const dataDirectory = (env) => env.DATA_DIR ?? '.data';

/**
 * Where Next compiles a local run: each data folder has its own, since Next refuses a second server in one, and a second build
 * would replace the first. Undefined is Next's own.
 * @param {Environment} env
 */
export function buildDirectory(env) {
  const directory = path.resolve(dataDirectory(env));
  if (directory === path.resolve(dataDirectory({}))) return undefined;
  return `.next-${createHash('sha256').update(directory).digest('hex').slice(0, 8)}`;
}

/** @param {Environment} env */
export const databaseDirectory = (env) => path.join(dataDirectory(env), 'postgres');

/** @param {Environment} env */
const demoEnvFile = (env) => path.join(dataDirectory(env), 'demo.env');

/**
 * What an earlier run generated.
 * @param {Environment} env
 * @returns {Environment}
 */
export function readDemoEnv(env) {
  const file = demoEnvFile(env);
  return existsSync(file) ? /** @type {Environment} */ (parseEnv(readFileSync(file, 'utf8'))) : {};
}

/**
 * Completes `env` for a run, and writes what it did not have to demo.env: secrets are generated once and kept, addresses
 * are those of this run. No address of yours is written: another command would use it, and may not be meant for it.
 * @param {Environment} env @param {Record<string, string>} addresses
 * @returns {Environment}
 */
export function completeEnvironment(env, addresses) {
  const kept = readDemoEnv(env);
  const fresh = {
    ...generateServiceSecrets(env), // part: service
    ...generateSigningSecrets(),
    CRON_SECRET: randomBytes(24).toString('base64url'),
  };
  /** @type {Record<string, string>} */
  const generated = {};
  for (const [name, value] of Object.entries(fresh)) {
    if (!env[name] || env[name] === kept[name]) generated[name] = kept[name] ?? value;
  }
  for (const [name, value] of Object.entries(addresses)) if (!env[name]) generated[name] = value;
  writeDemoEnv(env, generated);
  return { ...generated, ...env };
}

export const SIGNING_SECRETS = [
  'CLERK_WEBHOOK_SIGNING_SECRET',
  'STRIPE_WEBHOOK_SECRET',
  'SVC_STRIPE_WEBHOOK_SECRET', // part: service
];

/** So that the API keys of a provider are enough to see its pages. What the provider itself sends needs its own secret. */
const generateSigningSecrets = () =>
  Object.fromEntries(SIGNING_SECRETS.map((name) => [name, `whsec_${randomBytes(24).toString('base64')}`]));

/** @param {Environment} env @param {Record<string, string>} values none of which contains a single quote */
function writeDemoEnv(env, values) {
  const file = demoEnvFile(env);
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'`);
  const text = `# Generated for this machine only. Use it in a shell of its own: set -a; . ${file}; set +a\n${lines.join('\n')}\n`;
  writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}
