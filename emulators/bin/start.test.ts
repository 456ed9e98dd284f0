import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import Stripe from 'stripe';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { Database, IN_MEMORY } from '../core/database';
import { freePort } from '../testing/free-port.mjs';

vi.setConfig({ testTimeout: 120_000 }); // each bundles and starts the program

const PROGRAM = path.join(import.meta.dirname, 'emulators.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'emulators-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What any app needs to run on the emulators. */
const VARIABLES = [
  ...['NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY', 'NEXT_PUBLIC_CLERK_PROXY_URL', 'NEXT_PUBLIC_CLERK_JS_URL'],
  ...['NEXT_PUBLIC_CLERK_UI_URL', 'NEXT_PUBLIC_CLERK_SIGN_IN_URL', 'NEXT_PUBLIC_CLERK_SIGN_UP_URL'],
  ...[
    'NEXT_PUBLIC_CLERK_TELEMETRY_DISABLED',
    'NEXT_PUBLIC_CLERK_KEYLESS_DISABLED',
    'CLERK_PUBLISHABLE_KEY',
    'CLERK_SECRET_KEY',
    'CLERK_API_URL',
  ],
  ...['CLERK_WEBHOOK_SIGNING_SECRET', 'STRIPE_SECRET_KEY', 'STRIPE_API_URL', 'STRIPE_HOST', 'STRIPE_PORT'],
  ...['STRIPE_PROTOCOL', 'STRIPE_WEBHOOK_SECRET', 'EMULATORS_URL'],
];

const inFolder = (name: string) => path.join(folder, name);

/** Resolves when it is ready or has exited. */
async function start(args: string[]) {
  const port = await freePort(); // without it, programs that start at the same time choose the same one
  const command = [PROGRAM, 'start', '--port', String(port), ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL')); // also if the test fails before stopping it
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (/^ready /m.test(output)) break;
  }
  child.stdout.resume();
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  const interrupt = () => void child.kill('SIGINT');
  return { pid: child.pid, output, errors: () => errors, ended, stop, interrupt };
}

const clientOf = (env: Record<string, string | undefined>) =>
  new Stripe(env.STRIPE_SECRET_KEY ?? '', {
    host: env.STRIPE_HOST ?? '',
    port: env.STRIPE_PORT ?? '',
    protocol: 'http',
    telemetry: false,
  });

test('start prints the variables and where it serves, writes them into a file, and stops on SIGTERM with its export, whose webhooks go to the app that imports it', async () => {
  const [envFile, state] = [inFolder('app.env'), inFolder('state.tgz')];
  writeFileSync(envFile, 'OWN=1\n# emulators: begin\nOLD=1\n# emulators: end\nALSO_OWN=2\n');
  writeFileSync(state, 'OLD');
  for (const file of [envFile, state]) linkSync(file, `${file}.earlier`);
  const [before, now] = ['http://localhost:9', 'http://localhost:19']; // no app is there
  const first = await start(['--data', inFolder('one'), '--app', before, '--env', envFile, '--export', state]);
  const env = parseEnv(readFileSync(envFile, 'utf8'));
  expect(first.output).toContain(`ready ${env.EMULATORS_URL}\n`);
  expect(parseEnv(first.output)).toMatchObject({
    CLERK_SECRET_KEY: env.CLERK_SECRET_KEY,
    STRIPE_API_URL: env.EMULATORS_URL,
  });
  expect(env).toMatchObject({
    OWN: '1',
    ALSO_OWN: '2',
    NEXT_PUBLIC_CLERK_SIGN_IN_URL: `${env.EMULATORS_URL}/clerk/sign-in`,
  });
  expect(env).not.toHaveProperty('OLD');
  for (const name of VARIABLES) expect(first.output).toContain(`\n${name}='${env[name]}'\n`);
  expect(Object.keys(env).sort()).toEqual([...VARIABLES, 'OWN', 'ALSO_OWN'].sort());
  expect(env.NEXT_PUBLIC_CLERK_SIGN_UP_URL).toBe(`${env.EMULATORS_URL}/clerk/sign-up`);
  const { id } = await clientOf(env).customers.create({ email: 'ada@example.com' });

  const second = await start(['--data', inFolder('one'), '--port', new URL(env.EMULATORS_URL ?? '').port]);
  expect(await second.ended).toBe(1);
  expect(second.errors()).toMatch(
    new RegExp(`^\\S+one is in use by process ${first.pid} \\(.*\\)\\. Stop that process`),
  );

  expect(await first.stop()).toBe(0);
  await expect(fetch(env.EMULATORS_URL ?? '')).rejects.toThrow();
  for (const file of [envFile, state]) {
    expect(readFileSync(`${file}.earlier`, 'utf8'), 'replaced as a whole').toContain('OLD');
  }

  const imported = await start(['--data', inFolder('two'), '--app', now, '--import', state, '--env', envFile]);
  const next = parseEnv(readFileSync(envFile, 'utf8'));
  expect(await clientOf(next).customers.retrieve(id)).toMatchObject({ id });
  const { data } = (await (await fetch(`${next.EMULATORS_URL}/control/deliveries`)).json()) as { data: object[] };
  expect(data).toMatchObject([{ event_type: 'customer.created', url: `${now}/api/webhooks/stripe` }]);
  expect(await imported.stop()).toBe(0);
});

test('an export has what was on its way when it was stopped', async () => {
  const app = createHttpServer().listen(0, 'localhost');
  onTestFinished(() => void app.close());
  await once(app, 'listening');
  const url = `http://localhost:${(app.address() as AddressInfo).port}`;
  const [envFile, state] = [inFolder('slow.env'), inFolder('slow.tgz')];
  const shared = ['--data', 'memory://', '--app', url, '--clerk-webhook', 'none', '--stripe-webhook', '/webhooks'];
  const first = await start([...shared, '--env', envFile, '--export', state]);
  const received = once(app, 'request');
  await clientOf(parseEnv(readFileSync(envFile, 'utf8'))).customers.create({ email: 'ada@example.com' });
  const [, response] = await received;
  const ended = first.stop();
  setTimeout(() => response.end('{}'), 1_500); // later than servers without requests are closed
  expect(await ended).toBe(0);
  const database = await Database.open(IN_MEMORY, { owner: 'a test', from: new Blob([readFileSync(state)]) });
  onTestFinished(() => database.close());
  const attempts = 'SELECT status, response_status FROM delivery d JOIN delivery_attempt ON delivery = d.id';
  expect(await database.query((sql) => sql(attempts))).toEqual([{ status: 'delivered', response_status: 200 }]);
});

test('started by npx, it ends with it', async () => {
  const port = await freePort();
  const command = `'${process.execPath}' '${PROGRAM}' start --data memory:// --port ${port}; true`;
  const env = { ...process.env, npm_lifecycle_event: 'npx' };
  const shell = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(shell.stdout, 'close'); // once every process that writes to it is gone
  let output = '';
  shell.stdout.on('data', (chunk) => (output += chunk));
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/^ready /m);
  shell.kill('SIGTERM');
  await closed;
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
});

test('whose parent is gone before it serves, it ends without a word', async () => {
  const args = [PROGRAM, 'start', '--with-parent', '--data', 'memory://', '--port', String(await freePort())];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const [errors, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit'), child.disconnect()]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

test('a second Ctrl-C ends it while a webhook still waits for its response', async () => {
  const app = createHttpServer(() => {}); // never responds
  await once(app.listen(0, 'localhost'), 'listening');
  onTestFinished(() => {
    app.closeAllConnections();
    app.close();
  });
  const url = `http://localhost:${(app.address() as AddressInfo).port}`;
  const { output, ended, interrupt } = await start(['--data', 'memory://', '--app', url]);
  const asked = once(app, 'request');
  await clientOf(parseEnv(output)).customers.create({ email: 'ada@example.com' });
  await asked;
  interrupt();
  const again = setInterval(interrupt, 50); // a second one right away counts as the same one
  onTestFinished(() => clearInterval(again));
  expect(await ended).toBe(130);
});

test('a named port that is taken is refused in a sentence, and an import leaves no folder behind', async () => {
  const other = createServer();
  await once(other.listen(0, 'localhost'), 'listening');
  const { port } = other.address() as AddressInfo;
  const refused = await start(['--data', inFolder('taken'), '--import', PROGRAM, '--port', String(port)]);
  expect(await refused.ended).toBe(1);
  expect(refused.errors()).toBe(`Port ${port} is in use. Stop what listens there, or name another port.\n`);
  expect(existsSync(inFolder('taken'))).toBe(false);
  other.close();
});

test('an import of no file, of another file, or into a folder that is there, is refused in a sentence', async () => {
  const [missing, data] = [inFolder('missing.tgz'), inFolder('kept')];
  mkdirSync(data);
  const refused = await start(['--data', inFolder('new'), '--import', missing]);
  expect(await refused.ended).toBe(1);
  expect(refused.errors()).toBe(`--import: there is no file ${missing}.\n`);
  const other = await start(['--data', inFolder('new'), '--import', PROGRAM]);
  expect(await other.ended).toBe(1);
  expect(other.errors()).toBe('--import: The file is not an exported state, or only a part of one.\n');
  expect(existsSync(inFolder('new'))).toBe(false);
  const second = await start(['--data', data, '--import', PROGRAM]);
  expect(await second.ended).toBe(1);
  expect(second.errors()).toBe(`${data} has state already. Delete the folder, or import into another one (--data).\n`);
});
