// npm run eject -- PART: removes a part of the project and everything that only it needed. docs/eject.md says which parts
// there are. Nothing has to be removed to go live.
//   --name NAME          what your product is called; for the demo, whose sample keeps its own name without it
//   --drop-tables        for a part whose tables a database of yours has: adds a migration that drops them
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { addDroppingMigration, deleteMigrations, findAppliedMigrations, findDatabases } from './eject/migrations.mjs';
import { EJECT, PARTS } from './eject/parts.mjs';
import {
  dropUnusedStyles,
  editFile,
  editLintRules,
  editManifest,
  findUnusedComponents,
  recordRemoval,
  removedWith,
} from './eject/references.mjs';
import { findRefusal, Refusal, readChanges, readRequest } from './eject/request.mjs';
import { beginHistory, replaceTexts, stripPart } from './eject/strip.mjs';
import { listFiles } from './git-files.mjs';
import { usage } from './options.mjs';

/** @typedef {import('./eject/parts.mjs').Part} Part */

const HISTORY = 'CHANGELOG.md';
const COMPONENTS = 'components/ui';
const STYLES = 'app/globals.css';

/** @param {string} command @param {string[]} args */
const run = (command, args) => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** The project's text files. */
const listTextFiles = () => listFiles().filter((file) => !/\.(png|webp|ico|jpg)$|(^|\/)package-lock\.json$/.test(file));

/** @param {string} file @param {(text: string) => string} edit */
function rewrite(file, edit) {
  const before = readFileSync(file, 'utf8');
  const after = edit(before);
  if (after !== before) writeFileSync(file, after);
}

/** @param {string} file @param {(value: any) => any} edit */
const rewriteJson = (file, edit) => rewrite(file, (text) => `${JSON.stringify(edit(JSON.parse(text)), null, 2)}\n`);

const UNDO = '`git checkout . && git clean -d --force && npm ci` undoes it.';

/** @typedef {{ file: string, from: string, to: string }} Missed an edit whose passage you have changed */

/** @param {Missed} missed */
const describeMissed = ({ file, from, to }) => {
  const lines = (/** @type {string} */ text, /** @type {string} */ sign) => text.trim().replace(/^/gm, `    ${sign} `);
  return `  ${file}\n${lines(from, '-')}${to.trim() && `\n${lines(to, '+')}`}`;
};

/** Before anything is removed. @param {string} name @throws a Refusal if a file's marks of parts do not match any more */
function checkMarks(name) {
  for (const file of listTextFiles().filter((each) => each !== HISTORY)) {
    try {
      stripPart(readFileSync(file, 'utf8'), name);
    } catch (error) {
      throw new Refusal(`${file}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/**
 * Removes the files of a part, and what the other files have of it.
 * @param {string} name @param {Part} part @returns {Missed[]} what has to be edited by hand
 */
function removePart(name, part) {
  for (const file of part.paths) rmSync(file, { recursive: true, force: true });
  /** @type {Missed[]} */
  const byHand = [];
  for (const file of listTextFiles()) {
    rewrite(file, (before) => {
      if (file === HISTORY) return recordRemoval(before, part.what, removedWith(part));
      const { text, missed } = editFile(before, file, name, part);
      byHand.push(...missed.map(([from, to]) => ({ file, from, to })));
      return text;
    });
  }
  rewriteJson('biome.json', (rules) => editLintRules(rules, part.fences));
  return byHand;
}

/** @param {string[]} args */
async function eject(args) {
  const { part: name, name: productName, isDropping } = readRequest(args, PARTS);
  const part = /** @type {Part} */ (PARTS[name]);
  const applied = part.migrations ? await findAppliedMigrations(part.migrations, findDatabases()) : [];
  const refusal = findRefusal({
    isPresent: part.paths.some((file) => existsSync(file)),
    changes: readChanges('.'),
    applied,
    isDropping,
  });
  if (refusal) throw new Refusal(refusal);
  checkMarks(name);

  hasBegun = true;
  const byHand = removePart(name, part);
  if (part.migrations && applied.length > 0) addDroppingMigration(part.migrations, name, new Date());
  else if (part.migrations) deleteMigrations(part.migrations);
  const texts =
    productName && part.sampleName
      ? [...(part.sampleTexts ?? []), /** @type {const} */ ([part.sampleName, productName])]
      : [];
  if (texts.length > 0) {
    for (const file of listTextFiles()) {
      if (file !== HISTORY) rewrite(file, (text) => replaceTexts(text, texts));
    }
  }
  const removed = Object.keys(PARTS).length > 1 ? [part] : [part, EJECT]; // the last part takes this command with it
  if (removed.includes(EJECT)) {
    byHand.push(...removePart('eject', EJECT));
    rewrite(HISTORY, beginHistory);
  }
  const sources = new Map(
    listTextFiles().flatMap((file) => (/\.(tsx?|mjs)$/.test(file) ? [[file, readFileSync(file, 'utf8')]] : [])),
  );
  const unused = findUnusedComponents(sources, COMPONENTS);
  for (const file of unused) rmSync(file);
  const markup = [...sources].flatMap(([file, text]) =>
    /^(app|components)\/.*(?<!\.test)\.tsx?$/.test(file) && !unused.includes(file) ? [text] : [],
  );
  rewrite(STYLES, (css) => dropUnusedStyles(css, markup.join('\n')));
  rewriteJson('package.json', (manifest) =>
    removed.reduce(
      (edited, gone) => editManifest(edited, gone, { isPresent: existsSync, name: productName }),
      manifest,
    ),
  );
  run('npm', ['install', '--include=dev', '--no-audit', '--no-fund', '--prefer-offline']); // also with NODE_ENV=production
  run('node_modules/.bin/biome', ['check', '--write', '--linter-enabled=false', '.']);

  console.log(`Removed: ${part.what}.\n${part.next}`);
  if (productName && productName === part.sampleName) {
    console.log(`Your product is still called ${productName}. With --name, this command replaces the name.`);
  }
  if (part.migrations) console.log('`npm run db:reset` deletes what local runs have stored with it.');
  if (byHand.length > 0) console.log('You have changed these passages, so edit them yourself:');
  for (const missed of byHand) console.log(describeMissed({ ...missed, to: replaceTexts(missed.to, texts) }));
  console.log(`See it with \`git status\`; ${UNDO}`);
  console.log('Try it: npm run lint, npm run typecheck, npm run test:unit, npm run build.');
}

let hasBegun = false;
try {
  if (process.argv.includes('--help')) console.log(usage());
  else await eject(process.argv.slice(2));
} catch (error) {
  if (hasBegun) console.error(`The removal is not complete. ${UNDO}`);
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
