// npm run test:eject: removes each part, and all of them, in temporary clones of what is committed, and shows that what
// remains is green. `npm run test:eject -- service` tries one part, `-- demo,service` these two, in this order.
import { Clone } from './eject/clone.mjs';
import { EJECT, PARTS } from './eject/parts.mjs';
import { realShape } from './real-shape.mjs';

const NAMES = Object.keys(PARTS);
/** All parts, with each of them first in turn: every two of three are removed before the third. */
const [LONGEST = [], ...ROTATED] = NAMES.map((_, index) => [...NAMES.slice(index), ...NAMES.slice(0, index)]);
/** The longest first, so that two workers end at about the same time. */
const ORDERS = [LONGEST, ...NAMES.map((name) => [name]), ...ROTATED];
/** Installing, type checks and walks leave a core idle each, so two clones are quicker than one after the other. */
const WORKERS = 2;
/** What names the past, until the last part empties it. */
const HISTORY = 'CHANGELOG.md';
const IGNORED = new Set(['LICENSE', 'package-lock.json']);

const build = {
  ...realShape,
  NEXT_TELEMETRY_DISABLED: '1',
  APP_URL: 'https://app.example.com',
  NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com',
  NEXT_PUBLIC_SVC_PROGRAM_ID: '123',
};

let isGreen = true;

/** Prints one line per check, and what a failed one said. @param {string} title @param {() => unknown} check */
async function report(title, check) {
  const started = performance.now();
  try {
    await check();
    console.log(`ok     ${title} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
  } catch (error) {
    isGreen = false;
    console.log(`FAILED ${title}\n${error instanceof Error ? error.message : error}`);
  }
}

/** @param {Clone} clone @param {string[]} removed */
function findWords(clone, removed) {
  const gone = removed.map((name) => PARTS[name]?.words ?? EJECT.words);
  const isAll = removed.length === NAMES.length;
  if (isAll) gone.push(EJECT.words);
  const isRead = (/** @type {string} */ file) => !IGNORED.has(file) && (isAll || file !== HISTORY);
  const kept = clone.files().filter((file) => isRead(file) && !NAMES.some((name) => file.startsWith(`${name}/`)));
  const found = kept.filter((file) => gone.some((words) => words.test(`${file}\n${clone.read(file)}`)));
  if (found.length > 0) throw new Error(found.join('\n'));
}

/**
 * What tries what the removal can have broken. Of the tests that start programs those are here that read the lint rules and
 * the migrations, which the removal edits.
 */
const CHECKS = [['lint'], ['typecheck'], ['test:unit'], ['test:programs', '--', '--', 'tests']];

/** A suite uses every core and has limits of time, so one runs after the other. */
let suites = Promise.resolve();

/** @param {() => Promise<void>} run */
function runSuite(run) {
  const turn = suites.then(run);
  suites = turn.catch(() => {});
  return turn;
}

/** @param {string[]} order @param {boolean} isChecked @returns the tree that remains */
async function tryOrder(order, isChecked) {
  const title = (/** @type {string} */ what) => `without ${order.join(', ')}: ${what}`;
  const clone = new Clone();
  let tree = '';
  try {
    for (const [index, name] of order.entries()) {
      const args = PARTS[name]?.sampleName ? ['--name', 'Acme'] : [];
      await report(title(`npm run eject -- ${name}`), () => clone.npm(['run', 'eject', '--', name, ...args]));
      tree = clone.commit(name);
      const isBetween = index > 0 && index < order.length - 1; // the first alone is an order of its own
      if (isBetween) await report(title(`npm run lint, after ${name}`), () => clone.npm(['run', 'lint']));
    }
    if (isChecked) {
      await report(title('no reference is left'), () => findWords(clone, order));
      const checks = [...CHECKS];
      // part: emulators
      // The emulators import nothing of the project: while none of their files changes, their tests prove what they did.
      if (clone.has('emulators') && clone.hasChanged('emulators')) checks.push(['test:emulators']);
      // end: emulators
      for (const check of checks) {
        const run = () => report(title(`npm run ${check.join(' ')}`), () => clone.npm(['run', ...check]));
        await (check[0]?.startsWith('test:') ? runSuite(run) : run());
      }
      // Where one walk is left, it begins with `npm run build` on keys of the real shape.
      const hasOneWalk = !clone.has('e2e/fixtures.ts');
      if (hasOneWalk)
        await report(title('npm run build, and the walk: npm run test:e2e'), () => clone.npm(['run', 'test:e2e']));
      else await report(title('npm run build'), () => clone.npm(['run', 'build'], build));
      console.log(`       ${title(clone.size())}`);
    }
    return tree;
  } finally {
    if (process.env.KEEP) console.log(`       ${clone.directory}`);
    else clone.remove();
  }
}

const asked = process.argv.slice(2).map((list) => list.split(','));
const unknown = asked.flat().filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${NAMES.join(', ')}.`);
  process.exit(1);
}

/** @param {string[]} order the parts that it removes, whatever their order */
const setOf = (order) => order.toSorted().join();
/** @type {Map<string, string[]>} the trees that remain, by the parts that were removed */
const trees = new Map();
const waiting = asked.length > 0 ? asked : ORDERS;

async function work() {
  for (let order = waiting.shift(); order; order = waiting.shift()) {
    const found = trees.get(setOf(order)) ?? [];
    const isChecked = !trees.has(setOf(order));
    trees.set(setOf(order), found);
    found.push(await tryOrder(order, isChecked));
  }
}

await Promise.all(Array.from({ length: WORKERS }, work));
for (const [parts, found] of [...trees].filter(([, { length }]) => length > 1)) {
  await report(`without ${parts}: the same files remain in any order`, () => {
    if (new Set(found).size > 1) throw new Error(`${found.join(' and ')} differ.`);
  });
}
process.exitCode = isGreen ? 0 : 1;
