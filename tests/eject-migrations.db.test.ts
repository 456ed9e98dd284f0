import { expect, test } from 'vitest';
import { findAppliedMigrations } from '../scripts/eject/migrations.mjs';

test('a part’s migrations are found in a database that has them, and no other part’s', async () => {
  const url = process.env.DATABASE_URL;
  expect(await findAppliedMigrations(/^\d+_integration/, url)).toEqual([expect.stringMatching(/_integration$/)]);
  expect(await findAppliedMigrations(/^\d+_no_such_part/, url)).toEqual([]);
});

test('the embedded database is not asked: its data is for this machine only', async () => {
  expect(await findAppliedMigrations(/./, undefined)).toEqual([]);
});

test('a database that does not respond is named', async () => {
  await expect(findAppliedMigrations(/./, 'postgresql://localhost:1/shop')).rejects.toThrow(
    /^DATABASE_URL cannot be read: .+ Start that database, or unset the variable\.$/,
  );
});
