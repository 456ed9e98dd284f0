import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startDatabase } from './start.mjs';

test('databases that start from the same template share nothing, and what is written stays', async () => {
  const directory = path.join(mkdtempSync(path.join(tmpdir(), 'template-')), 'postgres');
  const query = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  };
  const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
  try {
    const first = await startDatabase(directory, 'a test');
    await query(first.url, 'CREATE TABLE written (id int)');
    await first.stop();
    const [again, other] = await Promise.all([
      startDatabase(directory, 'a test'),
      startDatabase('memory://', 'a test'),
    ]);
    expect(await query(again.url, tables)).toEqual([{ tablename: 'written' }]);
    expect(await query(other.url, tables)).toEqual([]);
    await Promise.all([again.stop(), other.stop()]);
  } finally {
    rmSync(path.dirname(directory), { recursive: true, force: true });
  }
});
