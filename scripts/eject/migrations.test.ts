// That a database's migrations are found, `tests/migrations.program.test.ts` shows.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findAppliedMigrations } from './migrations.mjs';

test('the embedded database is not asked: its data is for this machine only', async () => {
  expect(await findAppliedMigrations(/./, {})).toEqual([]);
});

test('a database that does not respond is named by what names it', async () => {
  const databases = { '.env.production': 'postgresql://localhost:1/shop' };
  await expect(findAppliedMigrations(/./, databases)).rejects.toThrow(
    /^The DATABASE_URL of \.env\.production cannot be read: .+ Make that database reachable, or remove the variable/,
  );
});

describe('the databases that are read', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'eject-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (file: string, text: string) => writeFileSync(path.join(directory, file), text);
  const run = (args: string[], given: Record<string, string> = {}) => {
    const env = { PATH: process.env.PATH, NODE_ENV: undefined, ...given } as unknown as NodeJS.ProcessEnv;
    return spawnSync(process.execPath, args, { cwd: directory, env, encoding: 'utf8' });
  };

  test.each([{}, { NODE_ENV: 'production' }, { NODE_ENV: 'development' }])(
    'are those of the shell and of every file, with %j',
    (given) => {
      write('.env.local', 'PASSWORD=secret\nDATABASE_URL=postgresql://me:$PASSWORD\\$1@local/shop\n');
      write('.env.production', 'DATABASE_URL=postgresql://production/shop\n');
      write('.env.production.local', 'DATABASE_URL=postgresql://production-local/shop\n');
      write('.env', 'DATABASE_URL=\n');
      const url = new URL('./migrations.mjs', import.meta.url);
      const source = `
        const { findDatabases } = await import(${JSON.stringify(url)});
        console.log(JSON.stringify([findDatabases(), process.env.DATABASE_URL]));`;
      const DATABASE_URL = 'postgresql://shell/shop';
      const { stdout, stderr } = run(['--input-type=module', '-e', source], { ...given, DATABASE_URL });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual([
        {
          'your shell': DATABASE_URL,
          '.env.local': 'postgresql://me:secret$1@local/shop',
          '.env.production': 'postgresql://production/shop',
          '.env.production.local': 'postgresql://production-local/shop',
        },
        DATABASE_URL,
      ]);
    },
  );

  // part: service
  test.each(['production', 'development'])('include that of .env.production, with NODE_ENV=%s', (NODE_ENV) => {
    write('.env.production', 'DATABASE_URL=postgresql://localhost:1/shop\n');
    const { stderr, status } = run([path.resolve(import.meta.dirname, '../eject.mjs'), 'service'], { NODE_ENV });
    expect(stderr).toMatch(/^The DATABASE_URL of \.env\.production cannot be read: /);
    expect(status).toBe(1);
  });
  // end: service
});
