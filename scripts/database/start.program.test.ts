import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnoseDatabase } from './diagnose.mjs';
import { IN_MEMORY, startDatabase } from './start.mjs';

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

test('a database without tables is empty, and says which command creates them', async () => {
  expect(await diagnoseDatabase(untouched.url)).toEqual({
    state: 'empty',
    message: 'DATABASE_URL: the database has no tables yet. Run `npx prisma migrate deploy`, which creates them.',
  });
});
