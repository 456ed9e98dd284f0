import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { closeDatabases, database, databasePool } from '@/prisma/client';
import { applyMigrations } from '@/tests/support/test-database';
import { listMigrations } from '../../scripts/database/migrations.mjs';
import { IN_MEMORY, startDatabase } from '../../scripts/database/start.mjs';
import { addReadinessCheck, checkReadiness, checkTables } from './readiness';

test('a process is not ready while a table or a column is missing, or raw statements look in another schema', async () => {
  const migrations = listMigrations().filter((name) => /^\d+_integration/.test(name));
  const own = await startDatabase(IN_MEMORY);
  await closeDatabases();
  vi.stubEnv('DATABASE_URL', own.url);
  vi.spyOn(console, 'error').mockReturnValue();
  try {
    // The first query of a process compiles what the others use, which may take longer than a check.
    await expect(database().shopCheckpoint.findFirst()).rejects.toThrow();
    addReadinessCheck('migrations', checkTables());
    const failed = { isReady: false, checks: { process: 'ok', migrations: 'failed' } };
    expect(await checkReadiness()).toEqual(failed);
    await applyMigrations(own.url, migrations);
    await databasePool().query('ALTER TABLE shop_outbox DROP COLUMN request_id'); // as an earlier version left it
    expect(await checkReadiness()).toEqual(failed);
    await databasePool().query('ALTER TABLE shop_outbox ADD COLUMN request_id TEXT');
    await databasePool().query('SET search_path = pg_catalog');
    expect(await checkReadiness()).toEqual(failed);
    await databasePool().query('RESET search_path');
    await vi.waitFor(async () => expect((await checkReadiness()).isReady).toBe(true)); // a busy machine may need a second check
  } finally {
    await closeDatabases();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    Reflect.deleteProperty(globalThis, 'readiness');
    await own.stop();
  }
});

test.each([
  ['where nothing else listens, as with a custom server, it ends by the signal', '', [null, 'SIGTERM']],
  ['where a server does, the server decides', "process.on('SIGTERM', () => process.exit(7));", [7, null]],
])('a process that is told to end: %s', async (_, server, result) => {
  const code = `import { drainOnSignal } from './lib/integration/readiness';
    drainOnSignal(); ${server} console.log('ready'); setInterval(() => {}, 1000);`;
  const flags = ['--import', 'tsx', '--conditions=react-server', '--input-type=module', '--eval', code];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual(result);
});
