// The project's files, as Git lists them, and the environment in which Git finds the repository of a folder.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The environment for a command in another folder. Git tells its hooks their repository by variables: with those, every `git` that
 * is started from one uses that repository, whatever folder it runs in.
 * @param {import('./local-env.mjs').Environment} [env]
 */
export function withoutRepository(env = process.env) {
  const names = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' }).split('\n');
  const others = Object.entries(env).filter(([name]) => !names.includes(name));
  return /** @type {NodeJS.ProcessEnv} */ (Object.fromEntries(others));
}

/** Those that Git keeps. @param {string} [directory] */
export const listKeptFiles = (directory = '.') => list(directory, []);

/** Those that there are now: without those that were deleted, and with new ones that Git does not ignore. @param {string} [directory] */
export const listFiles = (directory = '.') =>
  list(directory, ['--cached', '--others', '--exclude-standard']).filter((file) =>
    existsSync(path.join(directory, file)),
  );

/** @param {string} directory @param {string[]} options */
const list = (directory, options) =>
  execFileSync('git', ['ls-files', '-z', ...options], { cwd: directory, env: withoutRepository(), encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
