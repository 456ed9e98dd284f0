// Prisma's commands as a person runs them: on an empty folder, without the internet.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg'; // part: service
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findMigrated } from '../scripts/database/migrations.mjs'; // part: service
import { migrationsFor } from '../scripts/database/migrations-of-parts.mjs'; // part: service
import { IN_MEMORY, startDatabase } from '../scripts/database/start.mjs'; // part: service
import { PRISMA, runNode } from '../scripts/programs.mjs';

vi.setConfig({ testTimeout: 300_000 });

const MIGRATIONS = 'prisma/migrations';
/** No request leaves this machine: the proxy is a port on which no process listens. */
const OFFLINE = { HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' };

const prisma = (args: string[], env: Record<string, string>) =>
  runNode([PRISMA, ...args], { ...process.env, DATABASE_URL: '', NEXT_PUBLIC_SVC_BASE_URL: '', ...OFFLINE, ...env });

let directory: string;
let migrations: string[];

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'migrations-test-'));
  migrations = readdirSync(MIGRATIONS);
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
  const added = readdirSync(MIGRATIONS).filter((name) => !migrations.includes(name));
  for (const name of added) rmSync(path.join(MIGRATIONS, name), { recursive: true });
});

test('the first `prisma migrate dev` applies every migration, and the schema asks for no other', async () => {
  const output = await prisma(['migrate', 'dev', '--name', 'planted'], { DATA_DIR: directory });
  expect(output).toContain('Your database is now in sync with your schema.');
  expect(readdirSync(MIGRATIONS)).toEqual(migrations);
});

// part: service
test('a database gets the tables of the parts that are on; another part’s come when it is on', async () => {
  const database = await startDatabase(IN_MEMORY);
  const env = { DATABASE_URL: database.url };
  const remote = { ...env, NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com' };
  const listTables = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    await client.end();
    return rows.map(({ tablename }: { tablename: string }) => tablename.split('_')[0]);
  };
  try {
    expect(await findMigrated(database.url, migrationsFor(remote))).toBeNull();
    await prisma(['migrate', 'deploy'], remote);
    expect(await findMigrated(database.url, migrationsFor(remote))).not.toBeNull();
    expect(new Set(await listTables())).toEqual(new Set(['', 'shop']));

    expect(await findMigrated(database.url, migrationsFor(env))).toBeNull();
    await prisma(['migrate', 'deploy'], env);
    expect(await findMigrated(database.url, migrationsFor(env))).not.toBeNull();
    expect(new Set(await listTables())).toEqual(new Set(['', 'shop', 'service']));
  } finally {
    await database.stop();
  }
});
// end: service
