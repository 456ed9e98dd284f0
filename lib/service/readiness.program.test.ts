import { expect, test, vi } from 'vitest';
import { closeDatabases, databasePool } from '@/prisma/client';
import { applyMigrations } from '@/tests/support/test-database';
import { listMigrations } from '../../scripts/database/migrations.mjs';
import { IN_MEMORY, startDatabase } from '../../scripts/database/start.mjs';
import { checkServiceTables } from './readiness';

test('the tables are not those of this version while one or a column of one is missing', async () => {
  const own = await startDatabase(IN_MEMORY);
  await closeDatabases();
  vi.stubEnv('DATABASE_URL', own.url);
  try {
    const check = checkServiceTables();
    await expect(check()).rejects.toThrow('does not exist');
    await applyMigrations(own.url, listMigrations());
    await databasePool().query('ALTER TABLE service_sales RENAME COLUMN payment_mode TO other');
    await expect(check()).rejects.toThrow('does not exist');
    await databasePool().query('ALTER TABLE service_sales RENAME COLUMN other TO payment_mode');
    await check();
  } finally {
    await closeDatabases();
    vi.unstubAllEnvs();
    await own.stop();
  }
});
