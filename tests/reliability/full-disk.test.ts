import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startPostgres } from '../../scripts/postgres.mjs';
import { type BuiltApp, startBuiltApp } from '../support/built-app';
import { call, click } from '../support/calls';
import { prepare } from '../support/global-data-directory';
import { compareWithStored, nothingAcknowledged, startLoad } from '../support/load';
import { canMount } from '../support/machine';

describe.runIf(canMount())('a PostgreSQL whose disk is full', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let app: BuiltApp;

  beforeAll(async () => {
    postgres = await startPostgres({ diskMegabytes: 160 });
    await prepare(postgres.url);
    app = await startBuiltApp({ databaseUrl: postgres.url });
  });
  afterAll(async () => {
    await app?.kill();
    await postgres?.stop();
  });

  test('costs no acknowledged write: calls are refused with 503 until there is room, and then everything recovers by itself', async () => {
    const acknowledged = nothingAcknowledged();
    const load = startLoad(app.url, acknowledged);
    await load.progress(40);
    const ballast = path.join(postgres.disk, 'ballast');
    fillDisk(ballast);
    await vi.waitUntil(() => load.failures() > 40, { timeout: 120_000 });
    expect((await click(app.url)).status).toBe(503);
    expect((await call(`${app.url}/healthz`)).status).toBe(200);
    rmSync(ballast);
    await postgres.restart();
    await load.progress(200);
    await load.stop();
    await vi.waitUntil(async () => (await call(`${app.url}/readyz`)).status === 200, { timeout: 30_000 });
    const { missing, doubled, totals, rows } = await compareWithStored(postgres.url, acknowledged);
    expect([missing, doubled]).toEqual([[], []]);
    expect(totals).toEqual(rows);
  });
});

/** Writes a file until its disk is full. */
function fillDisk(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (let size = 2 ** 20; size >= 4096; size /= 2) {
      try {
        for (;;) writeSync(handle, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(handle);
  }
}
