import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres } from '../../scripts/postgres.mjs';
import { type ProgramError, runNode } from '../../scripts/programs.mjs';
import { type BuiltApp, startBuiltApp } from '../support/built-app.ts';
import { click, newCustomer, sale, serverLead } from '../support/calls.ts';
import { prepare } from '../support/global-data-directory.ts';
import { compareWithStored, nothingAcknowledged, startLoad } from '../support/load.ts';
import { startRoundRobin } from '../support/round-robin.ts';

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
    const answers = await Promise.all(Array.from({ length: 20 }, () => sale(balancer.url, customer, invoice)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  }
});

test('a rolling restart fails no request, loses nothing and doubles nothing', async () => {
  const acknowledged = nothingAcknowledged();
  const load = startLoad(balancer.url, acknowledged, { parallel: 4 });
  for (const index of [0, 1] as const) {
    await load.progress(40);
    const { port } = apps[index];
    expect(await apps[index].terminate()).toBeLessThan(5000);
    apps[index] = await startBuiltApp({ databaseUrl: postgres.url, port });
  }
  await load.progress(40);
  await load.stop();
  expect(load.failures(), 'requests that were not answered with 2xx').toBe(0);
  const { missing, doubled, totals, rows } = await compareWithStored(postgres.url, acknowledged);
  expect([missing, doubled]).toEqual([[], []]);
  expect(totals).toEqual(rows);
  expect(acknowledged.webhooks.size).toBeGreaterThan(10);
});
