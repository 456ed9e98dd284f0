// The environment of a local run: what you set wins; what is missing is generated once and kept in $DATA_DIR/demo.env,
// which shells can source too.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import nextEnv from '@next/env';
import { generateSandboxSecrets, sandboxAddresses } from '../lib/sandbox/switch.mjs';
import { generateServiceSecrets } from '../lib/service/switch.mjs';

/** @typedef {Record<string, string | undefined>} Environment */

/**
 * The process's environment with the files that Next reads (`.env`, `.env.local`, …); blank means unset.
 * @param {{ dev?: boolean }} [options]
 * @returns {Environment}
 */
export function loadEnvironment({ dev = true } = {}) {
  nextEnv.loadEnvConfig(process.cwd(), dev, { info: () => {}, error: console.error });
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
}

/** @param {Environment} env */
export const dataDirectory = (env) => env.DATA_DIR ?? '.data';

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

/** @typedef {{ appUrl: string, databaseUrl: string, port: number }} Run */

/**
 * What a run at `appUrl` on `databaseUrl` has, and what of it is generated.
 * @param {Environment} env @param {Run} run
 * @returns {{ complete: Environment, generated: Record<string, string> }}
 */
export function planEnvironment(env, { appUrl, databaseUrl, port }) {
  const fresh = {
    ...generateServiceSecrets(env),
    ...generateSandboxSecrets(env),
    CRON_SECRET: randomBytes(24).toString('base64url'),
  };
  const kept = readDemoEnv(env);
  /** @type {Record<string, string>} */
  const generated = {};
  for (const [name, value] of Object.entries(fresh)) generated[name] = kept[name] ?? value;
  Object.assign(generated, { APP_URL: appUrl, DATABASE_URL: databaseUrl }, sandboxAddresses(env, appUrl));
  return { generated, complete: { ...generated, ...env, DATABASE_URL: databaseUrl, PORT: String(port) } };
}

/**
 * Completes `env` for a run, and writes what was generated to demo.env.
 * @param {Environment} env @param {Run} run
 * @returns {Environment}
 */
export function completeEnvironment(env, run) {
  const { complete, generated } = planEnvironment(env, run);
  writeDemoEnv(env, generated);
  return complete;
}

/** @param {Environment} env @param {Record<string, string>} values none of which contains a single quote */
function writeDemoEnv(env, values) {
  const file = demoEnvFile(env);
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'`);
  const text = `# Generated for this machine only. Use it with: set -a; . ${file}; set +a\n${lines.join('\n')}\n`;
  writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}
