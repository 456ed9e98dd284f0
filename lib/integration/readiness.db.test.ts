import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabases, database, databasePool } from '@/prisma/client';
import { IN_MEMORY, startDatabase } from '../../scripts/database/start.mjs';

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue();
  Reflect.deleteProperty(globalThis, 'readiness');
});
afterEach(() => vi.restoreAllMocks());

const load = () => import('./readiness');

test('a process whose database responds and has its tables is ready', async () => {
  await database().shopCheckpoint.findFirst(); // the first query of a process compiles what the others use
  const { addReadinessCheck, checkDatabase, checkReadiness, checkTables } = await load();
  addReadinessCheck('database', checkDatabase);
  addReadinessCheck('migrations', checkTables());
  expect(await checkReadiness()).toEqual({
    isReady: true,
    checks: { process: 'ok', database: 'ok', migrations: 'ok' },
  });
});

test('a process that is newer than its tables is not ready until the migrations have run', async () => {
  const own = await startDatabase(IN_MEMORY);
  await closeDatabases();
  vi.stubEnv('DATABASE_URL', own.url);
  const migrations = readdirSync('prisma/migrations').filter((name) => /^\d+_integration/.test(name));
  const apply = (name: string) => databasePool().query(readFileSync(`prisma/migrations/${name}/migration.sql`, 'utf8'));
  try {
    const { addReadinessCheck, checkReadiness, checkTables } = await load();
    addReadinessCheck('migrations', checkTables());
    const failed = { isReady: false, checks: { process: 'ok', migrations: 'failed' } };
    expect(await checkReadiness()).toEqual(failed);
    for (const name of migrations) await apply(name);
    await databasePool().query('ALTER TABLE shop_outbox DROP COLUMN request_id'); // as an earlier version left it
    expect(await checkReadiness()).toEqual(failed);
    await databasePool().query('ALTER TABLE shop_outbox ADD COLUMN request_id TEXT');
    await database().shopCheckpoint.findFirst();
    expect((await checkReadiness()).isReady).toBe(true);
  } finally {
    await closeDatabases();
    vi.unstubAllEnvs();
    await own.stop();
  }
}, 120_000);

test('a check that does not come back counts as failed, and the result says no more than its name', async () => {
  vi.useFakeTimers();
  const { addReadinessCheck, checkReadiness } = await load();
  addReadinessCheck('a hung one', () => new Promise(() => {}));
  addReadinessCheck('a failed one', () => Promise.reject(new Error('postgresql://shop:password@db')));
  const result = checkReadiness();
  await vi.advanceTimersByTimeAsync(2000);
  expect(await result).toEqual({
    isReady: false,
    checks: { process: 'ok', 'a hung one': 'failed', 'a failed one': 'failed' },
  });
  vi.useRealTimers();
  expect(vi.mocked(console.error).mock.calls.flat().join()).not.toContain('password');
});
