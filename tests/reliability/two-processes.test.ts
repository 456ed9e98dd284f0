import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startPostgres } from '../../scripts/postgres.mjs';
import { type ProgramError, runNode } from '../../scripts/programs.mjs';
import { startRoundRobin } from '../../scripts/round-robin.mjs';
import { type BuiltApp, startBuiltApp } from '../support/built-app';
import { call, clerkWebhook, click, newCustomer, sale, serverLead } from '../support/calls';
import { prepare } from '../support/global-data-directory';
import { compareWithStored, nothingAcknowledged, startLoad, untilDelivered } from '../support/load';

// Two processes of the app on one PostgreSQL, behind a balancer that knows nothing about sessions.

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let apps: [BuiltApp, BuiltApp];
let balancer: Awaited<ReturnType<typeof startRoundRobin>>;

beforeAll(async () => {
  postgres = await startPostgres();
  await prepare(postgres.url);
  const databaseUrl = postgres.url;
  apps = [await startBuiltApp({ databaseUrl }), await startBuiltApp({ databaseUrl })];
  balancer = await startRoundRobin(apps.map(({ port }) => port));
});
afterAll(async () => {
  await balancer?.stop();
  await Promise.all((apps ?? []).map((app) => app.kill()));
  await postgres?.stop();
});

test('the contract holds, unchanged, whichever process a request reaches', async () => {
  const env = { ...process.env, DATABASE_URL: postgres.url, CONTRACT_BASE_URL: balancer.url };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'contract', '--reporter=dot'];
  const output = await runNode(vitest, env).catch((error: ProgramError) => Promise.reject(new Error(error.output)));
  expect(output).toMatch(/Tests .*\d+ passed/);
  for (const count of balancer.served.values()) expect(count).toBeGreaterThan(20);
});

test('of sales that reach both processes at once under one invoice ID, exactly one is recorded', async () => {
  const customer = newCustomer();
  await serverLead(balancer.url, customer, (await click(balancer.url)).body.click_id);
  for (let round = 0; round < 5; round++) {
    const invoice = `in_${customer}_${round}`;
    const responses = await Promise.all(Array.from({ length: 20 }, () => sale(balancer.url, customer, invoice)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  }
});

test('while the database takes no writes they are refused with 503 and reads work; when it does again, all is well', async () => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const setReadOnly = async (value: 'on' | 'off') => {
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await client.query('SELECT pg_reload_conf()');
    // Sessions read the configuration between two statements.
    const read = async () =>
      (await client.query('SHOW default_transaction_read_only')).rows[0]?.default_transaction_read_only;
    await vi.waitUntil(async () => (await read()) === value, { timeout: 10_000 });
  };
  const customer = newCustomer();
  const clickId = (await click(balancer.url)).body.click_id;
  await setReadOnly('on');
  expect((await serverLead(balancer.url, customer, clickId)).status).toBe(503);
  expect((await clerkWebhook(balancer.url, { id: newCustomer(), clickId })).status).toBe(503);
  expect((await call(`${balancer.url}/dashboard/events`)).status).toBe(200);
  await setReadOnly('off');
  await client.end();
  expect((await serverLead(balancer.url, customer, clickId)).status).toBe(200);
});

test('a rolling restart fails no request, loses nothing and doubles nothing', async () => {
  const acknowledged = nothingAcknowledged();
  const load = startLoad(balancer.url, acknowledged, { parallel: 4 });
  for (const index of [0, 1] as const) {
    await load.progress(40);
    const { port } = apps[index];
    await balancer.rotate(apps.map((app) => app.port).filter((other) => other !== port)); // as a platform does first
    await apps[index].terminate();
    apps[index] = await startBuiltApp({ databaseUrl: postgres.url, port });
    await balancer.rotate(apps.map((app) => app.port));
  }
  await load.progress(40);
  await load.stop();
  expect(load.failures(), 'requests without a 2xx').toBe(0);
  const attempts = await untilDelivered(postgres.url, acknowledged);
  const repeated = attempts.filter((count) => count > 1);
  expect(
    repeated.length,
    'reports that took more than one attempt: both processes do not send everything',
  ).toBeLessThan(attempts.length / 4);
  const { missing, doubled, totals, rows } = await compareWithStored(postgres.url, acknowledged);
  expect([missing, doubled]).toEqual([[], []]);
  expect(totals).toEqual(rows);
  expect(acknowledged.webhooks.size).toBeGreaterThan(10);
});
