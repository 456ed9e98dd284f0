// .env.local: edited line by line, so that everything else in it stays as it is.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from '../local-env.mjs';
import { CLERK_ENDPOINT, stripeEndpoints } from '../webhook-endpoints.mjs';

export const ENV_FILE = '.env.local';
const HEADING = '# Written by npm run setup';
const FIRST_DATA_DIRECTORY = '.data-test';

export type Variables = Record<string, string>;

const fileIn = (directory: string, name = ENV_FILE) => path.join(directory, name);

export const readEnvFile = (directory: string, name = ENV_FILE): Environment =>
  existsSync(fileIn(directory, name)) ? (parseEnv(readFileSync(fileIn(directory, name), 'utf8')) as Environment) : {};

/**
 * The variables that a run would take from elsewhere even if this file has these values: from the shell, where one that is exported
 * blank hides it, too, or from `.env.development.local`.
 * @param env what a run reads now
 */
export function findOverridden(directory: string, values: Variables, env: Environment): string[] {
  const files = [ENV_FILE, '.env.development', '.env'].map((name) => readEnvFile(directory, name));
  return Object.keys(values).filter((name) => {
    const used = env[name];
    if (process.env[name]?.trim() === '' && !files.some((file) => name in file)) return true;
    return used && used !== values[name] && !files.some((file) => file[name]?.trim() === used);
  });
}

/**
 * The text of an env file with these values: a variable that is there gets its value where it stands, comment included; the
 * others follow at the end.
 */
export function editEnv(text: string, values: Variables): string {
  const missing = new Map(Object.entries(values));
  const lines = text.split('\n').map((line) => {
    const [, start = '', name = '', rest = '', end = ''] =
      /^(\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=)(.*?)(\r?)$/.exec(line) ?? [];
    const value = values[name];
    if (value === undefined) return line;
    missing.delete(name);
    return `${start}${quote(value)}${commentOf(rest)}${end}`;
  });
  if (missing.size === 0) return lines.join('\n');
  const added = [...missing].map(([name, value]) => `${name}=${quote(value)}`);
  const before = lines.join('\n').replace(/\n*$/, '');
  const heading = before.includes(HEADING) ? [] : [...(before ? [''] : []), HEADING];
  return [...(before ? [before] : []), ...heading, ...added, ''].join('\n');
}

/** A comment after a value that stands without quotes. */
const commentOf = (rest: string) => /^[^'"`]*?(\s+#.*)$/.exec(rest)?.[1] ?? '';

function quote(value: string): string {
  if (/^[\w+/=.:@-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}

/** Writes the values at once or not at all, for this user's eyes only. */
export function writeEnvFile(directory: string, values: Variables): void {
  const name = fileIn(directory);
  const file = existsSync(name) ? realpathSync(name) : name; // a worktree may link it to the main checkout's
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, editEnv(text, values), { mode: 0o600 });
  renameSync(temporary, file);
}

/** Secrets of the local webhooks and of the scheduler, for those that `env` lacks. The relay signs with them. */
export function newSecrets(env: Environment): Variables {
  const signingSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
  const variables = [CLERK_ENDPOINT, ...stripeEndpoints(env)].map(({ variable }) => variable);
  const secrets = {
    ...Object.fromEntries(variables.map((variable) => [variable, signingSecret()])),
    CRON_SECRET: randomBytes(24).toString('base64url'),
  };
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => !env[name]?.trim()));
}

/**
 * Where the local data of these keys are kept. Users and customers of other keys are unknown to the providers, so new keys get
 * a folder that is not there yet.
 */
export function decideDataDirectory(
  { current, isSameKeys }: { current: string | undefined; isSameKeys: boolean },
  exists: (folder: string) => boolean,
): string {
  if (current && (isSameKeys || !exists(current))) return current;
  for (let number = 1; ; number++) {
    const folder = number === 1 ? FIRST_DATA_DIRECTORY : `${FIRST_DATA_DIRECTORY}-${number}`;
    if (!exists(folder)) return folder;
  }
}
