import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { canMount } from '../../tests/support/machine';
import { diagnoseDatabase } from './diagnose.mjs';
import { chooseAddress, IN_MEMORY, startDatabase } from './start.mjs';

let untouched: Awaited<ReturnType<typeof startDatabase>>;
let parent: string;

beforeAll(async () => {
  parent = mkdtempSync(path.join(tmpdir(), 'start-'));
  untouched = await startDatabase(IN_MEMORY, 'a test');
});
afterAll(async () => {
  await untouched.stop();
  rmSync(parent, { recursive: true, force: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

test('a restored backup opens with what was written, and databases that start from the same template share nothing', async () => {
  const [directory, copy] = [path.join(parent, 'postgres'), path.join(parent, 'copy')];
  const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
  const original = await startDatabase(directory, 'a test');
  await query(original.url, 'CREATE TABLE written AS SELECT 7 AS value');
  await original.stop();
  cpSync(directory, copy, { recursive: true });
  const restored = await startDatabase(copy, 'a test');
  try {
    expect(await query(restored.url, tables)).toEqual([{ tablename: 'written' }]);
    expect(await query(restored.url, 'SELECT value FROM written')).toEqual([{ value: 7 }]);
    expect(await query(untouched.url, tables)).toEqual([]);
  } finally {
    await restored.stop();
  }
});

test.each(['require', 'prefer', 'verify-full'])(
  'PGSSLMODE=%s, exported for a server elsewhere, is not asked of it',
  async (mode) => {
    vi.stubEnv('PGSSLMODE', mode);
    expect(await query(untouched.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  },
);

test('a directory in which no database can be made is refused with its name and the error', async () => {
  const directory = path.join(parent, 'taken');
  mkdirSync(directory);
  writeFileSync(path.join(directory, 'global'), 'no folder');
  await expect(startDatabase(directory, 'a test')).rejects.toThrow(`${directory} cannot be opened (file system error`);
});

test('a directory of another major version of PostgreSQL is refused with both versions and the way out', async () => {
  const directory = path.join(parent, 'older');
  mkdirSync(directory);
  writeFileSync(path.join(directory, 'PG_VERSION'), '12\n');
  writeFileSync(path.join(directory, 'postgresql.conf'), ''); // without it PostgreSQL ends before it reads the version
  const [{ server_version }] = await query(untouched.url, 'SHOW server_version');
  const [installed] = server_version.split('.');
  await expect(startDatabase(directory, 'a test')).rejects.toThrow(
    `${directory} was made by PostgreSQL 12, and the installed PGlite is PostgreSQL ${installed}. \`npm run db:reset\``,
  );
});

test.runIf(canMount())('a full disk is named', async () => {
  const disk = path.join(parent, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
  try {
    await expect(startDatabase(path.join(disk, 'postgres'), 'a test')).rejects.toThrow('has no space left. Make room');
  } finally {
    execFileSync('umount', [disk]);
  }
});

test('a database whose parent is gone before it serves ends without a word', async () => {
  const args = [IN_MEMORY, 'a test', await chooseAddress()];
  const child = fork(path.join(import.meta.dirname, 'serve.mjs'), args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  child.disconnect();
  const [errors, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  expect(errors).toBe('');
  expect(code).toBe(0);
});

test('a database without tables is empty, and says which command creates them', async () => {
  expect(await diagnoseDatabase(untouched.url)).toEqual({
    state: 'empty',
    message: 'DATABASE_URL: the database has no tables yet. Run `npx prisma migrate deploy`, which creates them.',
  });
});

test('statements that waited for another connection to commit never mix their parameters', async () => {
  const pool = new pg.Pool({ connectionString: untouched.url, max: 10 });
  const ask = async (client: pg.Pool | pg.PoolClient, value: number) => {
    const columns = Array.from({ length: (value % 5) + 1 }, (_, column) => `$1::int AS c${column}`).join(', ');
    const { rows } = await client.query(`SELECT ${columns}`, [value]);
    return rows[0]?.c0;
  };
  try {
    const asked = Array.from({ length: 100 }, (_, index) => index);
    const answered = await Promise.all(
      asked.map(async (value) => {
        if (value % 4 !== 0) return ask(pool, value);
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          const response = await ask(client, value);
          await client.query('COMMIT');
          return response;
        } finally {
          client.release();
        }
      }),
    );
    expect(answered).toEqual(asked);
  } finally {
    await pool.end();
  }
});
