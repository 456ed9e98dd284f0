// docs/integrate.md and docs/recipes.md as programs: the commands and diffs that they tell the reader to run, and what in them is
// generated from the files in examples/. `node scripts/copy/guide.mjs` writes that anew.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const GUIDE = 'docs/integrate.md';
export const RECIPES = 'docs/recipes.md';
const NULL = '/dev/null';

/** What builds on what; before the first there is the reader's app. */
export const LEVELS = /** @type {const} */ (['minimal', 'durable', 'recipes']);
/** @typedef {(typeof LEVELS)[number]} Level */
/** @typedef {{ section: string, level: Level, kind: 'commands' | 'diff' | 'variables', text: string }} Step */

const KINDS = /** @type {const} */ ({ 'sh run': 'commands', diff: 'diff', dotenv: 'variables' });

/**
 * Every fenced block that the reader acts on, in order.
 * @param {string} markdown @param {Level} [level] the one that the document begins with
 * @returns {Step[]}
 */
export function readSteps(markdown, level = 'minimal') {
  return markdown.split(/^## /m).flatMap((text) => {
    const section = text.slice(0, text.indexOf('\n'));
    if (text.includes('<!-- diff: durable ')) level = 'durable'; // from this section on
    return [...text.matchAll(/^```(sh run|diff|dotenv)\n(.*?)^```$/gms)].map(([, info, block = '']) => ({
      section,
      level,
      kind: KINDS[/** @type {keyof typeof KINDS} */ (info)],
      text: block,
    }));
  });
}

/** The variables that the guide tells the reader to set. @param {Step[]} steps */
export const namedVariables = (steps) =>
  steps
    .filter(({ kind }) => kind === 'variables')
    .flatMap(({ text }) => [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name));

/**
 * Does in an app what a step says.
 * @param {Step} step @param {{ directory: string, source: string, env: import('../local-env.mjs').Environment }} app `source` is `src` or `.`
 */
export function follow({ kind, text, section }, { directory, source, env }) {
  if (kind === 'variables') return;
  const [command, args, input] =
    kind === 'diff'
      ? ['git', ['apply', '--whitespace=nowarn', ...(source === '.' ? [] : [`--directory=${source}`])], text]
      : ['bash', ['-euo', 'pipefail', '-c', text], undefined];
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: directory,
    env: { .../** @type {NodeJS.ProcessEnv} */ (env), SRC: source },
    encoding: 'utf8',
    ...(input && { input }),
  });
  if (status !== 0) throw new Error(`"${section}" fails:\n${text}\n${stdout}${stderr}`);
}

/** The guide with its diffs and costs as the files have them now. @param {string} markdown */
export function generate(markdown) {
  const withDiffs = markdown.replace(
    /^<!-- diff: (\w+) (\S+) -->\n```diff\n.*?^```$/gms,
    (_, level, file) => `<!-- diff: ${level} ${file} -->\n\`\`\`diff\n${diff(level, file)}\`\`\``,
  );
  const sections = withDiffs.split(/^(?=## )/m);
  return sections.map((text) => text.replace(/^\*\*Cost:\*\* .*$/m, () => `**Cost:** ${costOf(text)}.`)).join('');
}

/** Where the file of one level before is. @param {string} level @param {string} file */
function before(level, file) {
  const folders = ['bare', ...LEVELS];
  const earlier = folders.slice(0, folders.indexOf(level)).reverse();
  const places = earlier.map((name) => path.join('examples', name, file));
  if (file.startsWith('lib/integration/')) places.push(file); // copied from here
  return places.find((place) => existsSync(place)) ?? NULL;
}

/** @param {string} level @param {string} file */
function diff(level, file) {
  const from = before(level, file);
  const args = ['diff', '--no-index', '--no-color', '--no-ext-diff', from, `examples/${level}/${file}`];
  const { stdout, error } = spawnSync('git', args, { encoding: 'utf8' });
  if (error) throw new Error(`The diffs of the documents need Git: ${error.message}`);
  const body = stdout.slice(stdout.indexOf('\n@@') + 1).replace(/^(@@ .*? @@).*$/gm, '$1');
  return `--- ${from === NULL ? NULL : `a/${file}`}\n+++ b/${file}\n${body}`;
}

/** What a section adds to the reader's app. @param {string} text */
function costOf(text) {
  const steps = readSteps(text);
  const diffs = steps.filter(({ kind }) => kind === 'diff');
  const added = diffs.flatMap((step) => step.text.match(/^\+(?!\+\+ )/gm) ?? []).length;
  const files = (/** @type {number} */ count) => `${count} ${count === 1 ? 'file' : 'files'}`;
  const copied = steps
    .filter(({ kind }) => kind === 'commands')
    .flatMap((step) => [...step.text.matchAll(/^(?:cp|cat) .*?"\$KIT\/([^"]+)"/gm)])
    .flatMap(([, place = '']) => listSources(place));
  const lines = copied.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
  return [
    ...(diffs.length > 0 ? [`${added} ${added === 1 ? 'line' : 'lines'} in ${files(diffs.length)}`] : []),
    ...(copied.length > 0 ? [`${lines} copied lines in ${files(copied.length)}`] : []),
  ].join(', ');
}

/** @param {string} place a file or a folder @returns {string[]} */
function listSources(place) {
  if (statSync(place).isFile()) return /\.test\.ts$|\.md$|^LICENSE$/.test(place) ? [] : [place];
  return readdirSync(place).flatMap((name) => listSources(path.join(place, name)));
}

if (process.argv[1] === import.meta.filename) {
  for (const document of [GUIDE, RECIPES]) writeFileSync(document, generate(readFileSync(document, 'utf8')));
}
