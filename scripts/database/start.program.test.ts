import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test('databases that start from the same template share nothing, and what is written stays', async () => {
  const directory = path.join(parent, 'postgres');
  const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
  const first = await startDatabase(directory, 'a test');
  await query(first.url, 'CREATE TABLE written (id int)');
  await first.stop();
  const again = await startDatabase(directory, 'a test');
  try {
    expect(await query(again.url, tables)).toEqual([{ tablename: 'written' }]);
    expect(await query(untouched.url, tables)).toEqual([]);
  } finally {
    await again.stop();
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
  const database = await startDatabase(directory, 'a test');
  await database.stop();
  const file = path.join(directory, 'PG_VERSION');
  const installed = readFileSync(file, 'utf8').trim();
  writeFileSync(file, '12\n');
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
