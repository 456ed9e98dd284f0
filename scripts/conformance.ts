// Holds a tracking service of your choice against the contract, over HTTP, in its test mode.
// npm run conformance -- --base-url https://… --program prg_… --key svc_sk_… [--partner <code of an active partner>]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

type Assertion = { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] };
type Report = { testResults: Array<{ name: string; assertionResults: Assertion[]; message: string }> };

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { 'base-url': text, program: text, key: text, partner: { ...text, default: 'ada' } },
});
const { 'base-url': baseUrl, program, key, partner } = values;
if (!baseUrl || !program || !key) {
  throw new Error('Say which service: --base-url, --program and --key. Use the key of a program made for testing.');
}

const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
const file = path.join(folder, 'report.json');
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'contract', '--reporter=json', `--outputFile=${file}`],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      CONTRACT_BASE_URL: baseUrl.replace(/\/$/, ''),
      CONTRACT_PROGRAM: program,
      CONTRACT_API_KEY: key,
      CONTRACT_PARTNER: partner,
    },
  },
);
await once(child, 'exit');
const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
rmSync(folder, { recursive: true });

const VERDICTS: Record<string, string> = { passed: 'holds', failed: 'FAILS', pending: 'cannot be tested from outside' };
const counts: Record<string, number> = {};
for (const { assertionResults, name, message } of report.testResults.sort((a, b) => a.name.localeCompare(b.name))) {
  if (assertionResults.length === 0) throw new Error(`${name}: ${message}`);
  let section = '';
  for (const { ancestorTitles, title, status, failureMessages } of assertionResults) {
    if (section !== ancestorTitles.join(' ')) console.log(`\n${(section = ancestorTitles.join(' '))}`);
    const verdict = VERDICTS[status] ?? VERDICTS.pending ?? status;
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    console.log(`  ${verdict.padEnd(30)} ${title}`);
    for (const failure of failureMessages) console.log(`${' '.repeat(33)}${failure.split('\n')[0]}`);
  }
}
console.log(
  `\n${Object.entries(counts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ')}`,
);
process.exitCode = counts.FAILS ? 1 : 0;
