// npm run doctor against the running app, its database and the providers of this run; and the same with something broken.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from './fixtures';

type Finding = { check: string; state: string; detail: string; action?: string };

async function runDoctor(variables: Record<string, string> = {}, args: string[] = []) {
  const program = ['--import', 'tsx', '--conditions=react-server', 'scripts/doctor.ts', '--json', ...args];
  const child = spawn(process.execPath, program, { env: { ...process.env, ...variables } });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  expect(errors).toBe('');
  return { code, findings: JSON.parse(output).findings as Finding[], output };
}

const blockersOf = (findings: Finding[]) => findings.filter(({ state }) => state === 'blocker');

test('doctor finds no blocker in a local run, and says each thing that it has looked at', async () => {
  const { code, findings, output } = await runDoctor();
  expect(blockersOf(findings)).toEqual([]);
  expect(code).toBe(0);
  for (const check of [
    'Variables',
    'Database',
    'Clerk',
    'Clock',
    'Stripe',
    'Prices',
    'Client bundle',
    'Lead',
    'Sale',
  ]) {
    expect(findings).toContainEqual(expect.objectContaining({ check, state: 'ok' }));
  }
  expect(findings.filter(({ check }) => / webhook$/.test(check)).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
  for (const name of ['CLERK_SECRET_KEY', 'STRIPE_SECRET_KEY', 'SVC_API_KEY', 'CRON_SECRET']) {
    expect(output).not.toContain(process.env[name] ?? '');
  }
});

test('doctor names everything that is refused or down, and what to do', async () => {
  const { code, findings } = await runDoctor({
    CLERK_SECRET_KEY: 'sk_live_other',
    STRIPE_WEBHOOK_SECRET: 'whsec_other',
    SVC_API_KEY: 'svc_sk_other',
    DATABASE_URL: 'postgresql://localhost:1/x',
    STRIPE_API_URL: 'http://localhost:1',
  });
  expect(code).toBe(1);
  for (const [check, text] of [
    ['Database', 'nothing listens at localhost:1'],
    ['Clerk', 'Clerk refuses CLERK_SECRET_KEY (401)'],
    ['Stripe', 'Stripe cannot be reached at http://localhost:1'],
    ['Stripe (the shop) webhook', 'refuses what STRIPE_WEBHOOK_SECRET signs'],
    ['Tracking service', 'does not know SVC_API_KEY (401)'],
  ]) {
    const finding = blockersOf(findings).find((other) => other.check === check);
    expect(finding?.detail).toContain(text);
    expect(finding?.action).toBeTruthy();
  }
});

test('doctor looks at another app by its address alone', async ({ baseURL }) => {
  const { code, findings } = await runDoctor({}, ['--app-url', baseURL ?? '']);
  expect(blockersOf(findings)).toEqual([]);
  expect(code).toBe(0);
  expect(findings.map(({ check }) => check)).toEqual([
    'App',
    'Tracker',
    'Cookie',
    'Client bundle',
    'Clerk webhook',
    'Stripe webhook',
  ]);
});
