import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type BuiltApp, type Database, startBuiltApp, startOwnDatabase } from '../support/built-app';
import { call, clerkWebhook, click, newCustomer, sale, serverLead } from '../support/calls';
import { type MisbehavingService, startMisbehavingService } from '../support/misbehaving-service';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';

// A database and a tracking service that accept connections and never respond: the hardest kind of outage.

const LIMIT_MS = 6000;

let database: Database;
let proxy: TcpProxy;
let service: MisbehavingService;
let app: BuiltApp;
const stored = newCustomer();

beforeAll(async () => {
  const own = await startOwnDatabase();
  database = own;
  proxy = await startTcpProxy(own.port);
  service = await startMisbehavingService();
  service.behave(() => 'hang');
  const url = new URL(own.url);
  url.port = String(proxy.port);
  app = await startBuiltApp({ databaseUrl: url.href, appUrl: service.baseUrl });
  await vi.waitUntil(async () => (await call(`${app.url}/readyz`)).status === 200, { timeout: 60_000 });
  expect((await click(app.url)).status).toBe(200); // connections are open before they hang, and the routes loaded
  await serverLead(app.url, newCustomer(), 'clk_1');
  await sale(app.url, newCustomer(), 'in_loaded');
});
afterAll(async () => {
  await app?.kill();
  await Promise.all([proxy?.stop(), service?.stop(), database?.stop()]);
});

describe('while the service hangs and the database works', () => {
  test('a webhook is accepted within 6 s: the report is stored', async () => {
    const { status, milliseconds } = await clerkWebhook(app.url, { id: stored, clickId: 'cust_1' });
    expect(status).toBe(200);
    expect(milliseconds).toBeLessThan(LIMIT_MS);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT kind FROM shop_outbox WHERE customer_external_id = $1', [stored]);
    await client.end();
    expect(rows).toEqual([{ kind: 'lead' }]);
  });
});

describe('while both hang', () => {
  beforeAll(() => proxy.behave('hang'));

  test('every endpoint responds with 503 within 6 s, also forty calls at once on ten connections', async () => {
    const calls = Array.from({ length: 10 }, (_, index) => [
      clerkWebhook(app.url, { id: newCustomer(), clickId: 'cust_1' }),
      click(app.url),
      serverLead(app.url, newCustomer(), 'clk_1'),
      sale(app.url, newCustomer(), `in_${index}`),
    ]).flat();
    for (const { status, milliseconds } of await Promise.all(calls)) {
      expect(status).toBe(503);
      expect(milliseconds).toBeLessThan(LIMIT_MS);
    }
  });

  test('the process is alive and not ready, and pages that need no database are served', async () => {
    expect((await call(`${app.url}/healthz`)).body).toEqual({ status: 'ok' });
    const ready = await call(`${app.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(ready.body).toEqual({
      status: 'not_ready',
      checks: { process: 'ok', database: 'failed', migrations: 'ok', 'service migrations': 'ok' },
    });
    expect((await call(`${app.url}/pricing`)).status).toBe(200);
  });
});

test('when both work again the app does, without a restart, and delivers what it had stored', async () => {
  service.behave(() => 'record');
  proxy.behave('pass');
  await vi.waitUntil(async () => (await call(`${app.url}/readyz`)).status === 200, { timeout: 30_000 });
  expect((await click(app.url)).status).toBe(200);
  // No webhook comes any more: the interval alone delivers it, once the lease of an attempt that hung is over.
  await vi.waitUntil(() => service.leads.has(stored), { timeout: 90_000, interval: 500 });
});
