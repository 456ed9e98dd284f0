// What a call of `npm run eject` asks for, and why it is refused, if it is.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { withoutRepository } from '../git-files.mjs';

/** @typedef {import('./parts.mjs').Part} Part */
/** @typedef {{ part: string, name: string | undefined, isDropping: boolean }} Request */

/** A call that removes nothing; the message says what to do. */
export class Refusal extends Error {}

/**
 * @param {string[]} args @param {Record<string, Part>} parts
 * @returns {Request} throws a Refusal
 */
export function readRequest(args, parts) {
  const { values, positionals } = parseOptions(args);
  const [part = ''] = positionals;
  if (positionals.length !== 1 || !Object.hasOwn(parts, part)) {
    const list = Object.entries(parts).map(([name, { what }]) => `  npm run eject -- ${name.padEnd(10)} ${what}`);
    const problem = positionals.length > 0 ? `; there is none called "${positionals.join(' ')}"` : '';
    throw new Refusal([`Name one part to remove${problem}:`, ...list].join('\n'));
  }
  const sampleName = parts[part]?.sampleName;
  if (!sampleName && values.name !== undefined)
    throw new Refusal(`--name does not go with ${part}: it renames nothing.`);
  if (values.name !== undefined && !/^[\p{L}\p{N}][\p{L}\p{N} .-]*$/u.test(values.name)) {
    throw new Refusal('A name has letters, digits, spaces, dots and hyphens. Change it in the files afterwards.');
  }
  return { part, name: values.name ?? sampleName, isDropping: values['drop-tables'] };
}

/** @param {string[]} args */
function parseOptions(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { name: { type: 'string' }, 'drop-tables': { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error));
  }
}

/** What is not committed yet. @param {string} directory @returns {string} throws a Refusal */
export function readChanges(directory) {
  try {
    return execFileSync('git', ['status', '--porcelain', '--untracked-files=all', '--', '.'], {
      cwd: directory,
      env: withoutRepository(),
      encoding: 'utf8',
      stdio: 'pipe',
    }).trimEnd();
  } catch (error) {
    const { message, stderr } = /** @type {Error & { stderr?: string }} */ (error);
    throw new Refusal(
      `Git shows what this removes, and undoes it, but it does not work here (${stderr?.trim() || message}). ` +
        'Install Git, run `git init` and commit everything first.',
    );
  }
}

/**
 * Why a part is not removed now, or null.
 * @param {{ isPresent: boolean, changes: string, applied: string[], isDropping: boolean }} state `applied` are the part's
 *   migrations that a database of your own has
 */
export function findRefusal({ isPresent, changes, applied, isDropping }) {
  if (changes) {
    return `There are uncommitted changes. Commit or stash them first, so that \`git diff\` shows what this removes:\n${changes}`;
  }
  if (!isPresent) return 'This part has been removed already.';
  if (applied.length > 0 && !isDropping) {
    return [
      `A database of your own has tables of this part: ${applied.join(', ')} were applied there.`,
      'Run it again with --drop-tables: these migrations stay, and one is added that drops the tables when you deploy it.',
    ].join('\n');
  }
  return null;
}
