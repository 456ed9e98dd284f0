// That a database's migrations are found, `tests/migrations.program.test.ts` shows.
// part: service
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
// end: service
import { expect, test } from 'vitest';
import { findAppliedMigrations } from './migrations.mjs';

test('the embedded database is not asked: its data is for this machine only', async () => {
  expect(await findAppliedMigrations(/./, {})).toEqual([]);
});

test('a database that does not respond is named', async () => {
  await expect(findAppliedMigrations(/./, { DATABASE_URL: 'postgresql://localhost:1/shop' })).rejects.toThrow(
    /^DATABASE_URL cannot be read: .+ Start that database, or unset the variable\.$/,
  );
});

// part: service
test('a database that only .env.production names is not overlooked', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'eject-'));
  writeFileSync(path.join(directory, '.env.production'), 'DATABASE_URL=postgresql://localhost:1/shop\n');
  const program = path.resolve(import.meta.dirname, '../eject.mjs');
  const eject = (mode?: 'production' | 'development') => {
    const env = { PATH: process.env.PATH, ...(mode && { NODE_ENV: mode }) } as NodeJS.ProcessEnv;
    const { stderr, status } = spawnSync(process.execPath, [program, 'service'], {
      cwd: directory,
      env,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    return stderr;
  };
  expect(eject()).toMatch(
    /^DATABASE_URL is in \.env\.production, which this command does not read\. Run it with NODE_ENV/,
  );
  expect(eject('production')).toMatch(/^DATABASE_URL cannot be read: /);
  expect(eject('development')).toMatch(/^Git shows what this removes/); // the next refusal
  rmSync(directory, { recursive: true });
});
// end: service
