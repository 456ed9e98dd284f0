import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { DIRECTORY, listMigrations } from '../../scripts/database/migrations.mjs';
import { IN_MEMORY, startDatabase } from '../../scripts/database/start.mjs';
import { migrate } from '../../scripts/prepare-data.mjs';

/** A database with every table, in memory; or the one that TEST_DATABASE_URL names, migrated. */
export async function startTestDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const named = process.env.TEST_DATABASE_URL;
  if (named) {
    await migrate({ ...process.env, DATABASE_URL: named });
    return { url: named, stop: async () => {} };
  }
  return startEmbeddedDatabase();
}

/** A database with every table, in memory, for a test that must not share one. */
export async function startEmbeddedDatabase(): ReturnType<typeof startDatabase> {
  const embedded = await startDatabase(IN_MEMORY);
  await applyMigrations(embedded.url, listMigrations());
  return embedded;
}

/** What `prisma migrate deploy` does to an empty database, without the seconds that Prisma's start takes. */
export async function applyMigrations(url: string, names: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of names.filter((entry) => /^\d+_/.test(entry)).sort()) {
      await client.query(readFileSync(path.join(DIRECTORY, name, 'migration.sql'), 'utf8'));
    }
  } finally {
    await client.end();
  }
}
