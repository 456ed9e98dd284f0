// That a database's migrations are found, `tests/migrations.program.test.ts` shows.
import { expect, test } from 'vitest';
import { findAppliedMigrations } from './migrations.mjs';

test('the embedded database is not asked: its data is for this machine only', async () => {
  expect(await findAppliedMigrations(/./, undefined)).toEqual([]);
});

test('a database that does not respond is named', async () => {
  await expect(findAppliedMigrations(/./, 'postgresql://localhost:1/shop')).rejects.toThrow(
    /^DATABASE_URL cannot be read: .+ Start that database, or unset the variable\.$/,
  );
});
