// How the commands behave that start the app, where its variables are missing or wrong: they end at once and say why.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findLocalProviders } from '../provider-addresses.mjs';
import { VARIABLES } from '../scripts/local-env.mjs';
import { freePort } from '../scripts/ports.mjs';

vi.setConfig({ testTimeout: 60_000 }); // each starts a process

/** Blank, so that neither the shell nor `.env.local` has a say. */
const blanks = Object.fromEntries(VARIABLES.map((name) => [name, '']));
/** A database that is never reached: it keeps the embedded one from being started. */
const UNREACHED = { DATABASE_URL: 'postgresql://localhost:1/unreached' };
const realKeys = {
  ...UNREACHED,
  APP_URL: 'https://app.example.com',
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from('happy-cat-1.clerk.accounts.dev$').toString('base64')}`,
  CLERK_SECRET_KEY: 'sk_test_clerk',
  CLERK_WEBHOOK_SIGNING_SECRET: 'whsec_clerk',
  STRIPE_SECRET_KEY: 'sk_test_stripe',
  STRIPE_WEBHOOK_SECRET: 'whsec_stripe',
  NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com',
  NEXT_PUBLIC_SVC_PROGRAM_ID: 'prg_demo',
  SVC_API_KEY: 'svc_sk_test',
};

const aPort = async () => String(await freePort('localhost'));

async function run(args: string[], env: Record<string, string>, cwd = '.'): Promise<{ code: number; output: string }> {
  const environment = { ...process.env, NODE_ENV: 'development' as const, ...blanks, ...env };
  const child = spawn(process.execPath, args, { cwd, env: environment });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'exit');
  return { code, output };
}

const start = (env: Record<string, string>) => run(['scripts/start.mjs'], env);

describe('npm start', () => {
  test('without a build ends with 1, and says which commands help', async () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'start-'));
    const { code, output } = await run([path.resolve('scripts/start.mjs')], realKeys, empty);
    rmSync(empty, { recursive: true });
    expect(code).toBe(1);
    expect(output).toContain('There is no build yet. Run `npm run build`');
    expect(output).toContain('npm run preview'); // part: emulators
  });

  test('with a provider on this machine ends with 1 and says why', async () => {
    const { code, output } = await start({ ...realKeys, STRIPE_API_URL: 'http://localhost:3001' });
    expect(code).toBe(1);
    expect(output).toContain('npm start serves real customers, so it asks the providers themselves.');
    expect(output).toContain('STRIPE_API_URL=http://localhost:3001');
    expect(output).toContain('npm run preview');
  });

  test.each([
    ['CLERK_API_URL', 'http://localhost:3001/clerk'],
    ['NEXT_PUBLIC_CLERK_PROXY_URL', 'http://127.0.0.1:3001/clerk'],
    ['NEXT_PUBLIC_CLERK_JS_URL', 'http://localhost:3001/clerk.js'],
    ['NEXT_PUBLIC_CLERK_UI_URL', 'http://localhost:3001/ui.js'],
    ['STRIPE_API_URL', 'http://[::1]:3001'],
  ])('takes %s=%s for a provider on this machine', (name, address) => {
    expect(findLocalProviders({ ...realKeys, [name]: address })).toEqual([name]);
    expect(findLocalProviders(realKeys)).toEqual([]);
  });
});

describe('the server itself, however it is started', () => {
  const register = ['--import', 'tsx', '--conditions=react-server', '--input-type=module', '-e'];
  const serve = (env: Record<string, string>) =>
    run([...register, "await (await import('./instrumentation.ts')).register(); console.log('started')"], {
      ...env,
      NEXT_RUNTIME: 'nodejs',
    });

  test('starts on real keys', async () => {
    const { output } = await serve({ ...realKeys, NODE_ENV: 'production' });
    expect(output).toContain('Clerk             https://api.clerk.com');
    expect(output).toContain('started');
  });

  test('names every variable that is malformed, with its place, and ends with 1', async () => {
    const malformed = { CLERK_SECRET_KEY: 'clerk', STRIPE_SECRET_KEY: 'pk_test_1', APP_URL: 'app.example.com' };
    const { code, output } = await serve({ ...realKeys, ...malformed });
    expect(code).toBe(1);
    expect(output).toContain(
      'CLERK_SECRET_KEY is malformed (has to start with sk_). Where to find it: Clerk dashboard',
    );
    expect(output).toContain('STRIPE_SECRET_KEY is malformed');
    expect(output).toContain('APP_URL is malformed');
    expect(output).not.toContain('started');
    expect(output).not.toMatch(/^\s+at .*[:(]/m); // no stack
  });

  test('does not serve a public address with a provider on this machine, and serves a local one', async () => {
    const local = { ...realKeys, STRIPE_API_URL: 'http://localhost:3001', NODE_ENV: 'production' };
    const { code, output } = await serve(local);
    expect(code).toBe(1);
    expect(output).toContain('https://app.example.com is public, but STRIPE_API_URL lead to this machine.');
    expect(output).not.toContain('started');
    expect((await serve({ ...local, APP_URL: 'http://localhost:3000' })).output).toContain('started');
  });
});

// part: emulators
test('npm run dev with a malformed variable ends the emulators that it has started for the rest', async () => {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'start-'));
  const EMULATORS_PORT = await aPort();
  const given = { ...UNREACHED, STRIPE_SECRET_KEY: 'foo', DATA_DIR, PORT: await aPort(), EMULATORS_PORT };
  const { code, output } = await run(['scripts/dev.mjs'], given);
  expect(code).toBe(1);
  expect(output).toContain('STRIPE_SECRET_KEY is malformed');
  rmSync(path.join(DATA_DIR, 'emulators'), { recursive: true }); // throws where they were never started
  await expect(fetch(`http://localhost:${EMULATORS_PORT}/`)).rejects.toThrow();
  rmSync(DATA_DIR, { recursive: true });
});
// end: emulators

describe.each(['dev', 'preview'])('npm run %s', (command) => {
  const script = [`scripts/${command}.mjs`];
  let DATA_DIR: string;

  beforeAll(() => {
    DATA_DIR = mkdtempSync(path.join(tmpdir(), 'start-'));
  });
  afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

  test('with malformed variables builds and starts no app, and names each with its place', async () => {
    const malformed = {
      STRIPE_SECRET_KEY: 'foo',
      // part: service
      NEXT_PUBLIC_SVC_BASE_URL: '',
      SVC_STRIPE_WEBHOOK_SECRET: 'bar',
      // end: service
    };
    const { code, output } = await run(script, { ...realKeys, ...malformed, DATA_DIR, PORT: await aPort() });
    expect(code).toBe(1);
    expect(output).toContain('STRIPE_SECRET_KEY is malformed (has to start with sk_ or rk_). Where to find it: Stripe');
    // part: service
    expect(output).toContain(
      'SVC_STRIPE_WEBHOOK_SECRET is malformed (has to start with whsec_). Where to find it: Stripe',
    );
    // end: service
    expect(output).toMatch(/The app was not started\.\n$/);
    expect(output).not.toMatch(/^\s+at .*[:(]/m); // no stack
  });

  test('on a named port that is taken names the process, instead of taking its server for the app', async () => {
    const other = createServer((_, response) => response.end());
    await once(other.listen(0, 'localhost'), 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, output } = await run(script, { ...UNREACHED, DATA_DIR, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is in use by process ${process.pid} (`);
  });
});
