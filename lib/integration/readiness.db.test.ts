import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue();
  Reflect.deleteProperty(globalThis, 'readiness');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'readiness');
});

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
  expect(vi.mocked(console.error).mock.calls.flat().join()).not.toContain('password');
});
