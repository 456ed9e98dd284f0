import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/ports.mjs';
import { superviseChild } from '../../scripts/programs.mjs';
import { untilServed } from '../../scripts/stack.mjs';
import { type BuiltApp, startBuiltApp, startOwnDatabase } from '../support/built-app';
import { call, clerkWebhook, click, newCustomer, serverLead } from '../support/calls';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';

// SIGTERM, as a deployment sends it. The database answers late, so that requests are in flight when it arrives.

const LIMIT_MS = 5000;

let database: Awaited<ReturnType<typeof startOwnDatabase>>;
let proxy: TcpProxy;
let databaseUrl: string;

beforeAll(async () => {
  database = await startOwnDatabase();
  proxy = await startTcpProxy(database.port);
  const url = new URL(database.url);
  url.port = String(proxy.port);
  databaseUrl = url.href;
});
afterAll(async () => {
  await proxy?.stop();
  await database?.stop();
});

/** Tells the app to end while it has these requests: connections are accepted in order, so one that came later was answered. */
async function endDuring<Result>(app: BuiltApp, requests: Array<Promise<Result>>) {
  const settled = Promise.allSettled(requests);
  await call(`${app.url}/healthz`);
  const milliseconds = await app.terminate();
  return { milliseconds, results: await settled };
}

test('every request that was begun gets its response, what it promised is stored, and the process ends within 5 s', async () => {
  const app = await startBuiltApp({ databaseUrl });
  const { body } = await click(app.url);
  // The first call of each route compiles it, which is not what is in flight here.
  await clerkWebhook(app.url, { id: newCustomer(), clickId: body.click_id });
  await serverLead(app.url, newCustomer(), body.click_id);
  const customers = Array.from({ length: 10 }, newCustomer);
  proxy.behave({ delayMs: 30 });
  const { milliseconds, results } = await endDuring(
    app,
    customers.map((customer, index) =>
      index % 2 === 0
        ? serverLead(app.url, customer, body.click_id)
        : clerkWebhook(app.url, { id: customer, clickId: body.click_id }),
    ),
  );
  proxy.behave('pass');
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value.status : String(result.reason.cause))),
  ).toEqual(customers.map(() => 200));
  expect(milliseconds).toBeLessThan(LIMIT_MS);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    'SELECT customer_key AS id FROM service_leads UNION SELECT customer_external_id FROM shop_outbox',
  );
  await client.end();
  const stored = new Set(rows.map(({ id }: { id: string }) => id));
  expect(customers.filter((customer) => !stored.has(customer))).toEqual([]);
});

test('an export that takes longer is cut off within 5 s, in a way that its receiver notices', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    INSERT INTO service_events (id, program_id, kind, test, created_at)
    SELECT 'evt_' || n, 'prg_demo', 'click', false, now() - n * interval '1 second' FROM generate_series(1, 30000) n`);
  await client.end();
  const app = await startBuiltApp({ databaseUrl });
  proxy.behave({ delayMs: 250 }); // 60 pages of 500 events: half a minute
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${app.url}/dashboard/events/export?format=csv`, { agent: false }, resolve).on('error', reject);
  });
  const download = new Promise<{ isComplete: boolean; bytes: number }>((resolve) => {
    let bytes = 0;
    response.on('data', (chunk) => (bytes += chunk.length));
    response.on('error', () => {}); // reported by `complete`
    response.on('close', () => resolve({ isComplete: response.complete, bytes }));
  });
  const { milliseconds, results } = await endDuring(app, [download]);
  proxy.behave('pass');
  expect(milliseconds).toBeLessThan(LIMIT_MS);
  expect(results).toEqual([{ status: 'fulfilled', value: { isComplete: false, bytes: expect.any(Number) } }]);
});

test('an export that is nearly done is finished first', async () => {
  const app = await startBuiltApp({ databaseUrl });
  const address = `${app.url}/dashboard/events/export?format=csv&kind=lead`;
  await call(address); // loads the route
  proxy.behave({ delayMs: 30 });
  const download = call(address);
  const { results } = await endDuring(app, [download]);
  proxy.behave('pass');
  expect(results[0]).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
});

test('npm start says that its server was killed, and ends with an error', async () => {
  const port = await freePort('localhost');
  const env = { ...process.env, DATABASE_URL: database.url, PORT: String(port), CLERK_API_URL: '' };
  const command = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  command.stderr.on('data', (chunk) => (errors += chunk));
  const ended = once(command, 'close');
  await untilServed(superviseChild(command), port);
  process.kill(Number(execFileSync('pgrep', ['-P', String(command.pid)], { encoding: 'utf8' })), 'SIGKILL');
  expect(await ended).toEqual([1, null]);
  expect(errors).toContain('The server was ended by SIGKILL.');
});
