// npm run test:eject: removes each part, and all of them, in temporary clones of what is committed, and shows that what
// remains is green. `npm run test:eject -- service` tries one part, `-- demo,service` these two, in this order.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EJECT, PARTS } from './eject/parts.mjs';
import { realShape } from './real-shape.mjs';

const NAMES = Object.keys(PARTS);
const ORDERS = [...NAMES.map((name) => [name]), NAMES, NAMES.toReversed()];
/** What Git does not keep, and a fresh install would have to make again. */
const INSTALLED = [
  'node_modules',
  'emulators/vendor', // part: emulators
];
const HISTORY = new Set(['CHANGELOG.md', 'package-lock.json']);
const OUTPUT_LINES = 60;

const build = {
  ...realShape,
  NEXT_TELEMETRY_DISABLED: '1',
  APP_URL: 'https://app.example.com',
  NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com',
  NEXT_PUBLIC_SVC_PROGRAM_ID: '123',
};

let isGreen = true;

/** Prints one line per check, and what a failed one said. @param {string} title @param {() => string} check */
function report(title, check) {
  const started = performance.now();
  try {
    const result = check();
    console.log(`ok     ${title} (${((performance.now() - started) / 1000).toFixed(0)} s)${result && `: ${result}`}`);
  } catch (error) {
    isGreen = false;
    console.log(`FAILED ${title}\n${error instanceof Error ? error.message : error}`);
  }
}

/** @param {string} directory @param {string[]} args of npm @param {import('./local-env.mjs').Environment} [env] */
function npm(directory, args, env = process.env) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: directory,
    encoding: 'utf8',
    env: /** @type {NodeJS.ProcessEnv} */ (env),
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`.trim().split('\n').slice(-OUTPUT_LINES).join('\n'));
  return '';
}

/** @param {string} directory @param {string[]} args */
const git = (directory, args) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' }).trim();

function clone() {
  const directory = mkdtempSync(path.join(tmpdir(), 'eject-'));
  git('.', ['clone', '--quiet', '--no-hardlinks', '.', directory]);
  for (const folder of INSTALLED.filter((place) => existsSync(place))) {
    // Hard links: quick, and without another gigabyte. npm replaces the files of packages and does not write into them.
    execFileSync('cp', ['-RPl', path.resolve(folder), path.join(directory, path.dirname(folder))]);
  }
  // Into its own list of packages npm does write, and this would be the one of this folder.
  rmSync(path.join(directory, 'node_modules/.package-lock.json'), { force: true });
  return directory;
}

/** @param {string} directory @param {string[]} removed */
function findWords(directory, removed) {
  const gone = removed.map((name) => PARTS[name]?.words ?? EJECT.words);
  if (removed.length === NAMES.length) gone.push(EJECT.words);
  const files = git(directory, ['ls-files']).split('\n');
  const kept = files.filter((file) => !HISTORY.has(file) && !NAMES.some((name) => file.startsWith(`${name}/`)));
  const found = kept.filter((file) => {
    const text = `${file}\n${readFileSync(path.join(directory, file), 'latin1')}`;
    return gone.some((words) => words.test(text));
  });
  if (found.length > 0) throw new Error(found.join('\n'));
  return '';
}

/** @param {string} directory */
function countLines(directory) {
  const [summary = ''] = git(directory, [
    'diff',
    '--shortstat',
    git(directory, ['hash-object', '-t', 'tree', '/dev/null']),
    'HEAD',
    '--',
    '.',
    ':!package-lock.json',
  ]).split('(');
  return summary.replace('changed,', 'with').replace('insertions', 'lines');
}

// part: emulators
/** The emulators import nothing of the project: while none of their files changes, their tests prove what they did. @param {string} directory */
function haveChangedEmulators(directory) {
  if (!existsSync(path.join(directory, 'emulators'))) return false;
  const { status } = spawnSync('git', ['diff', '--quiet', 'origin/HEAD', 'HEAD', '--', 'emulators'], {
    cwd: directory,
  });
  return status !== 0;
}
// end: emulators

/** @param {string[]} order @param {boolean} isChecked @returns {string} the tree that remains */
function tryOrder(order, isChecked) {
  const title = (/** @type {string} */ what) => `without ${order.join(', ')}: ${what}`;
  const directory = clone();
  try {
    for (const name of order) {
      const args = PARTS[name]?.sampleName ? ['--name', 'Acme'] : [];
      report(title(`npm run eject -- ${name}`), () => npm(directory, ['run', 'eject', '--', name, ...args]));
      git(directory, ['add', '--all']);
      git(directory, ['-c', 'user.name=eject', '-c', 'user.email=eject@example.com', 'commit', '--quiet', '-m', name]);
    }
    if (isChecked) {
      const suites = ['test:unit', 'test:programs'];
      if (haveChangedEmulators(directory)) suites.push('test:emulators'); // part: emulators
      report(title('no reference is left'), () => findWords(directory, order));
      report(title('npm run lint'), () => npm(directory, ['run', 'lint']));
      report(title('npm run typecheck'), () => npm(directory, ['run', 'typecheck']));
      for (const suite of suites) report(title(`npm run ${suite}`), () => npm(directory, ['run', suite]));
      report(title('npm run build'), () => npm(directory, ['run', 'build'], build));
      const hasOneWalk = !existsSync(path.join(directory, 'e2e/fixtures.ts'));
      if (hasOneWalk) report(title('npm run test:e2e'), () => npm(directory, ['run', 'test:e2e']));
      console.log(`       ${countLines(directory)}`);
    }
    return git(directory, ['rev-parse', 'HEAD^{tree}']);
  } finally {
    if (process.env.KEEP) console.log(`       ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
  }
}

const asked = process.argv.slice(2).map((list) => list.split(','));
const unknown = asked.flat().filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${NAMES.join(', ')}.`);
  process.exit(1);
}
/** @type {Map<string, string>} the tree that remains, by the parts that were removed */
const trees = new Map();
for (const order of asked.length > 0 ? asked : ORDERS) {
  const key = order.toSorted().join();
  const known = trees.get(key);
  const tree = tryOrder(order, known === undefined);
  if (known !== undefined) {
    report(`without ${order.join(', ')}: the same files remain in any order`, () => {
      if (tree !== known) throw new Error(`${known} and ${tree} differ.`);
      return '';
    });
  }
  trees.set(key, tree);
}
process.exitCode = isGreen ? 0 : 1;
