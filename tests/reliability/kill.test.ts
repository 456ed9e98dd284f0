import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startDatabase } from '../../scripts/database/start.mjs';
import {
  type BuiltApp,
  copyDataDirectory,
  type Database,
  type DataDirectory,
  startBuiltApp,
} from '../support/built-app';
import { call } from '../support/calls';
import { type Acknowledged, compareWithStored, nothingAcknowledged, startLoad, untilDelivered } from '../support/load';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';

// kill -9 under load. KILL_CYCLES=20 is the proof; the default shows that it runs. It proves what process death leaves, on the
// embedded database too. It does not prove what a power failure leaves: that one runs without fsync (docs/operations.md).

const CYCLES = Number(process.env.KILL_CYCLES ?? 3);

let directory: DataDirectory;
let database: Database;
let proxy: TcpProxy;
let app: BuiltApp;
let databaseUrl: string;

beforeAll(async () => {
  directory = copyDataDirectory();
  database = await startDatabase(directory.path);
  const url = new URL(database.url);
  proxy = await startTcpProxy(Number(url.port)); // the app keeps its address while the database's changes
  url.port = String(proxy.port);
  databaseUrl = url.href;
  app = await startBuiltApp({ databaseUrl });
});
afterAll(async () => {
  await app?.kill();
  await proxy?.stop();
  await database?.stop();
  directory?.remove();
});

/** How many calls are acknowledged before each kill: another place in the work each time. */
const someCalls = () => 20 + Math.floor(Math.random() * 60);

async function expectAllStoredOnce(acknowledged: Acknowledged): Promise<void> {
  await untilDelivered(database.url, acknowledged);
  const { missing, doubled, totals, rows } = await compareWithStored(database.url, acknowledged);
  expect(missing, 'acknowledged and not stored').toEqual([]);
  expect(doubled).toEqual([]);
  expect(totals, 'totals and rows are written by one statement').toEqual(rows);
  expect(acknowledged.sales.size).toBeGreaterThan(CYCLES);
  console.info(`${CYCLES} kills, ${acknowledged.clicks.size} clicks, ${acknowledged.sales.size} sales acknowledged`);
}

test(`the app, killed ${CYCLES} times under load, has stored all that it acknowledged, and nothing twice`, async () => {
  const acknowledged = nothingAcknowledged();
  const load = startLoad(app.url, acknowledged);
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    await load.progress(someCalls());
    await app.kill();
    app = await startBuiltApp({ databaseUrl, port: app.port });
  }
  await load.progress(someCalls());
  await load.stop();
  expect(load.failures()).toBeGreaterThan(0);
  await expectAllStoredOnce(acknowledged);
});

test(`the database process, killed ${CYCLES} times under load, has all that the app acknowledged, and nothing twice`, async () => {
  const acknowledged = nothingAcknowledged();
  const load = startLoad(app.url, acknowledged);
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    await load.progress(someCalls());
    process.kill(database.pid, 'SIGKILL');
    await database.ended;
    database = await startDatabase(directory.path);
    proxy.leadTo(Number(new URL(database.url).port));
  }
  await load.progress(someCalls());
  await load.stop();
  await expectAllStoredOnce(acknowledged);
  await vi.waitUntil(async () => (await call(`${app.url}/readyz`)).status === 200, { timeout: 30_000 });
});
