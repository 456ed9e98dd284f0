// Checks a tracking service of your choice against the contract, over HTTP, in its test mode. docs/conformance.md
// npm run conformance -- --base-url https://… --program prg_… --key svc_sk_… [--partner <code of an active partner>]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from './options.mjs';
import { CommandError, runCommand } from './run-command';

type Target = { baseUrl: string; program: string; key: string; partner: string };
type Assertion = { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] };
type Report = { testResults: Array<{ name: string; assertionResults: Assertion[]; message: string }> };

const HOLDS = 'holds';
const FAILS = 'FAILS';
const CANNOT = 'cannot be tested';
const MARGIN = ' '.repeat(CANNOT.length + 4);

function readTarget(): Target | null {
  const text = { type: 'string' } as const;
  const given = readOptions({ 'base-url': text, program: text, key: text, partner: { ...text, default: 'ada' } });
  const { 'base-url': baseUrl, program, key, partner } = given;
  if (!baseUrl || !URL.canParse(baseUrl) || !program || !key) return null;
  return { baseUrl: baseUrl.replace(/\/$/, ''), program, key, partner };
}

/** What would make every line below meaningless: no response, or none to this key. */
export async function findObstacle({ baseUrl, program, key }: Target): Promise<string | null> {
  const response = await fetch(`${baseUrl}/api/v1/track/lead`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      customer_key: 'conformance',
      additional_data: { test_mode: true, program_id: program },
    }),
  }).catch(() => null);
  if (!response) return `No response from ${baseUrl}. Start the service, or give its address as --base-url.`;
  if (response.status === 401 || response.status === 403)
    return `${baseUrl} does not know this --key. Its dashboard's settings show new keys once.`;
  if (response.status === 400)
    return `${baseUrl} refuses a test lead: --key is not a key of ${program}, or the service has no test mode (contract §4).`;
  if (response.status === 404)
    return `${baseUrl} has no /api/v1/track/lead. The --base-url is the address before /api/v1.`;
  return null;
}

/** Runs the contract tests; what needs a program of its own leaves itself out. */
async function runContractTests({ baseUrl, program, key, partner }: Target): Promise<Report> {
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const file = path.join(folder, 'report.json');
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'contract', '--reporter=json', `--outputFile=${file}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        CONTRACT_BASE_URL: baseUrl,
        CONTRACT_PROGRAM: program,
        CONTRACT_API_KEY: key,
        CONTRACT_PARTNER: partner,
      },
    },
  );
  await once(child, 'exit');
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  rmSync(folder, { recursive: true });
  return report;
}

/** One line for each statement, under its section of the contract; returns how many there are of each verdict. */
function print({ testResults }: Report): Record<string, number> {
  const counts = { [HOLDS]: 0, [FAILS]: 0, [CANNOT]: 0 };
  for (const { assertionResults, name, message } of testResults.sort((a, b) => a.name.localeCompare(b.name))) {
    if (assertionResults.length === 0) throw new Error(`${name}: ${message}`);
    let section = '';
    for (const { ancestorTitles, title, status, failureMessages } of assertionResults) {
      if (section !== ancestorTitles.join(' ')) console.log(`\n${(section = ancestorTitles.join(' '))}`);
      const verdict = status === 'passed' ? HOLDS : status === 'failed' ? FAILS : CANNOT;
      counts[verdict] += 1;
      console.log(`  ${verdict.padEnd(CANNOT.length)}  ${title}`);
      for (const failure of failureMessages) console.log(`${MARGIN}${failure.split('\n')[0]}`);
    }
  }
  return counts;
}

async function checkService(): Promise<void> {
  const target = readTarget();
  if (!target) {
    throw new CommandError(
      'Say which service: --base-url, --program and --key. Use a program made for testing. docs/conformance.md',
    );
  }
  const obstacle = await findObstacle(target);
  if (obstacle) throw new CommandError(obstacle);
  const counts = print(await runContractTests(target));
  const summary = Object.entries(counts).map(([verdict, count]) => `${verdict}: ${count}`);
  console.log(`\n${summary.join(', ')} (docs/conformance.md says why)`);
  process.exitCode = counts[FAILS] ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) await runCommand(checkService);
