// Prisma's commands as a person runs them: on an empty folder, without the internet.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimEntries, enqueue } from '@/lib/integration/outbox/store';
import { database as client, closeDatabases } from '@/prisma/client';
import { diagnoseDatabase } from '../scripts/database/diagnose.mjs';
import { migrationsFor } from '../scripts/database/migrations-of-parts.mjs'; // part: service
import { IN_MEMORY, startDatabase } from '../scripts/database/start.mjs';
import { findAppliedMigrations } from '../scripts/eject/migrations.mjs'; // part: eject
import { PRISMA } from '../scripts/programs.mjs';
import { migrationAdapterFactory } from '../scripts/schema-engine/adapter.mjs';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const MIGRATIONS = 'prisma/migrations';
/** No request leaves this machine: the proxy is a port on which no process listens. */
const OFFLINE = { HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' };

/** A copy of the project, as `migrate dev` writes migrations and the client. What it only reads is linked. */
const project = mkdtempSync(path.join(tmpdir(), 'migrations-project-'));

beforeAll(() => {
  for (const name of readdirSync('.').filter((entry) => !entry.startsWith('.'))) {
    if (name.startsWith('prisma')) cpSync(name, path.join(project, name), { recursive: true });
    else symlinkSync(path.resolve(name), path.join(project, name));
  }
});
afterAll(() => rmSync(project, { recursive: true }));

async function prisma(args: string[], variables: Record<string, string>): Promise<string> {
  const env = { ...process.env, DATABASE_URL: '', NEXT_PUBLIC_SVC_BASE_URL: '', ...OFFLINE, ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, [PRISMA, ...args], { cwd: project, env });
  return stdout;
}

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'migrations-test-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('the first `prisma migrate dev` applies every migration, and the schema asks for no other', async () => {
  const output = await prisma(['migrate', 'dev', '--name', 'planted'], { DATA_DIR: directory });
  expect(output).toContain('Your database is now in sync with your schema.');
  expect(readdirSync(path.join(project, MIGRATIONS))).toEqual(readdirSync(MIGRATIONS));
});

describe('prisma migrate deploy', () => {
  const integration = readdirSync(MIGRATIONS).filter((name) => /^\d+_integration/.test(name));
  let database: Awaited<ReturnType<typeof startDatabase>>;
  let before: string;
  const stateOf = async (names: string[]) => (await diagnoseDatabase(database.url, names)).state;
  const remote = { NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com' };

  beforeAll(async () => {
    database = await startDatabase(IN_MEMORY);
    before = await stateOf(integration);
    await prisma(['migrate', 'deploy'], { ...remote, DATABASE_URL: database.url });
  });
  afterAll(() => database.stop());

  test('a database has the migrations afterwards, and not before', async () => {
    expect([before, await stateOf(integration)]).toEqual(['empty', 'ready']);
  });

  test('no limit of the session ends a statement, and a lock is waited for briefly', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("SET statement_timeout = '5s'"); // PGlite has one session, so this stands for the role's setting
    await client.end();
    const adapter = await migrationAdapterFactory(database.url).connect();
    const show = async (name: string) =>
      (await adapter.queryRaw({ sql: `SHOW ${name}`, args: [], argTypes: [] })).rows[0][0];
    expect([await show('statement_timeout'), await show('lock_timeout')]).toEqual(['0', '10s']);
    await adapter.dispose();
  });

  test('a schema that the URL names has the tables, for Prisma’s queries and for raw ones', async () => {
    const own = await startDatabase(IN_MEMORY);
    const url = `${own.url}&schema=acme`;
    await closeDatabases();
    vi.stubEnv('DATABASE_URL', url);
    try {
      await prisma(['migrate', 'deploy'], { ...remote, DATABASE_URL: url });
      expect(await diagnoseDatabase(url, integration)).toMatchObject({ state: 'ready', count: integration.length });
      const session = new pg.Client({ connectionString: own.url });
      await session.connect();
      await session.query('SET search_path = public'); // PGlite has one session: what the migration has set would stay
      await session.end();
      const now = new Date();
      await enqueue('msg_schema', { kind: 'lead', customerExternalId: 'user_schema' }, now);
      expect(await claimEntries({ now, limit: 1 })).toMatchObject([{ id: 'msg_schema' }]);
      expect(await client().shopOutboxEntry.count()).toBe(1);
      expect(await findAppliedMigrations(/^\d+_integration/, { here: url })).toEqual(integration); // part: eject
    } finally {
      await closeDatabases();
      vi.unstubAllEnvs();
      await own.stop();
    }
  });

  test.each(['deploy', 'resolve'])('%s without a DATABASE_URL fails, and names it', async (command) => {
    const deploy = prisma(['migrate', command], { DATABASE_URL: ' ', DATA_DIR: directory });
    await expect(deploy).rejects.toThrow('DATABASE_URL is not set. Where to find it:');
    expect(readdirSync(directory)).toEqual([]);
  });

  // part: service
  test('a database gets the tables of the parts that are on; another part’s come when it is on', async () => {
    const listTables = async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
      await client.end();
      return rows.map(({ tablename }: { tablename: string }) => tablename.split('_')[0]);
    };
    expect(await stateOf(migrationsFor(remote))).toBe('ready');
    expect(new Set(await listTables())).toEqual(new Set(['', 'shop']));

    const env = { DATABASE_URL: database.url };
    expect(await stateOf(migrationsFor(env))).toBe('pending');
    await prisma(['migrate', 'deploy'], env);
    expect(await stateOf(migrationsFor(env))).toBe('ready');
    expect(new Set(await listTables())).toEqual(new Set(['', 'shop', 'service']));
  });
  // end: service

  // part: eject
  test('a part’s migrations are found in a database that has them, and no other part’s', async () => {
    const applied = await findAppliedMigrations(/^\d+_integration/, { DATABASE_URL: database.url });
    expect(applied).toEqual(readdirSync(MIGRATIONS).filter((name) => /^\d+_integration/.test(name)));
    expect(await findAppliedMigrations(/^\d+_no_such_part/, { DATABASE_URL: database.url })).toEqual([]);
  });
  // end: eject
});
