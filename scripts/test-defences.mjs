// npm run test:defences: takes each defence of the attack list away, in a copy of the project, and expects the test that guards
// it to fail. `-- webhook` tries those whose attack has that word. What a single test file guards is taken away by itself;
// what the security suite guards is taken away all at once, since each of those needs a production build.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFENCES } from './defences/table.mjs';
import { copyProject } from './link-packages.mjs';

/** @typedef {import('./defences/table.mjs').Defence} Defence */

const REPORT = 'test-results/security.json';
const asked = process.argv.slice(2);
const chosen = DEFENCES.filter(({ attack }) => asked.length === 0 || asked.some((word) => attack.includes(word)));
if (chosen.length === 0) throw new Error(`No attack has the word ${asked.join(' or ')}.`);
const needsBuild = (/** @type {Defence} */ { test: [file] }) => file.startsWith('tests/security/');
const directory = mkdtempSync(path.join(tmpdir(), 'defences-'));

/** @param {Defence} defence */
function takeAway({ file, search, replace }) {
  const copy = path.join(directory, file);
  const source = readFileSync(copy, 'utf8');
  rmSync(copy); // a file of its own, even if it was linked
  writeFileSync(
    copy,
    source.replace(search, () => replace),
  );
}

/** @param {Defence} defence */
const putBack = ({ file }) => cpSync(file, path.join(directory, file));

/** @param {string[]} args */
function runInCopy(args) {
  rmSync(path.join(directory, REPORT), { force: true });
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

/** Whether the test that guards a defence ran and failed. @param {Defence} defence @param {string} output */
function judge({ attack, test: [file, title] }, output) {
  /** @type {{ testResults: Array<{ name: string, assertionResults: Array<{ fullName: string, status: string }> }> }} */
  let report;
  try {
    report = JSON.parse(readFileSync(path.join(directory, REPORT), 'utf8'));
  } catch {
    throw new Error(`No test ran without the defence against: ${attack}\n${output}`);
  }
  const results = report.testResults.filter(({ name }) => name.endsWith(file)).flatMap((one) => one.assertionResults);
  const guards = results.filter(({ fullName, status }) => status !== 'skipped' && fullName.includes(title));
  const isRed = guards.some(({ status }) => status === 'failed');
  const state = isRed ? 'red' : guards.length > 0 ? 'GREEN' : 'NOT RUN';
  console.log(`${state.padEnd(8)}${attack}: ${file}, "${title.trim()}"`);
  if (!isRed) process.exitCode = 1;
}

try {
  copyProject(directory);
  for (const defence of chosen.filter((one) => !needsBuild(one))) {
    const [file, title] = defence.test;
    const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const reporter = ['--reporter=json', `--outputFile=${REPORT}`];
    takeAway(defence);
    const projects = ['unit', 'database', 'programs'].flatMap((name) => ['--project', name]);
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects];
    judge(defence, runInCopy([...vitest, file, '-t', pattern, ...reporter]));
    putBack(defence);
  }
  const built = chosen.filter(needsBuild);
  if (built.length > 0) {
    for (const defence of built) takeAway(defence);
    const suites = [...new Set(built.map(({ test: [file] }) => file))];
    const output = runInCopy(['scripts/test.mjs', 'security', '--', ...suites]);
    for (const defence of built) judge(defence, output);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
