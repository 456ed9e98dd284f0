import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000 }); // each bundles and starts the program

const PROGRAM = path.join(import.meta.dirname, 'emulators.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'emulators-exec-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function exec(args: string[], script: string) {
  const command = ['exec', '--data', 'memory://', ...args, '--', process.execPath, '--eval', script];
  const child = spawn(process.execPath, [PROGRAM, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, output, errors };
}

const ASK = `
const { STRIPE_API_URL, STRIPE_SECRET_KEY } = process.env;
const headers = { authorization: 'Bearer ' + STRIPE_SECRET_KEY };
const response = await fetch(STRIPE_API_URL + '/v1/customers', { method: 'POST', headers });
console.log((await response.json()).object, STRIPE_API_URL);
`;

test('exec runs a command with the emulators’ variables, stops them when it ends, and ends with its exit code', async () => {
  const { code, output } = await exec([], `(async () => {${ASK} process.exitCode = 7})()`);
  expect(code).toBe(7);
  const [object, url = ''] = output.trim().split(' ');
  expect(object).toBe('customer');
  await expect(fetch(url)).rejects.toThrow();
});

test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends its command, and the state is exported', async (signal) => {
  const file = path.join(folder, `${signal}.tgz`);
  const command = ['--', process.execPath, '--eval', "console.log('running'); setInterval(() => {}, 60_000)"];
  const child = spawn(process.execPath, [PROGRAM, 'exec', '--data', 'memory://', '--export', file, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill(signal);
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(statSync(file).size).toBeGreaterThan(0);
});

test('--help lists the options', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'start', '--help'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(output).toContain('--app URL');
  expect(code).toBe(0);
});

test('without a command, or with a profile that does not fit, it says what to change and starts nothing', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'exec'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(errors).toContain('Name a command after --');
  expect(code).toBe(1);
  const profile = path.join(folder, 'profile.json');
  writeFileSync(profile, JSON.stringify({ lanes: { moon: {} } }));
  const refused = await exec(['--profile', profile], '');
  expect(refused.errors).toContain(`--profile ${profile}`);
  expect(refused.code).toBe(1);
});
