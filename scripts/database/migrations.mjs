// Asks a database whether it has every migration, which costs less than starting Prisma.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

export const DIRECTORY = 'prisma/migrations';

/** The schema that a database URL names, as Prisma reads it. @param {string} url */
export const findSchema = (url) => (URL.canParse(url) ? new URL(url).searchParams.get('schema') : null);

/** Prisma's table of what it has applied. @param {string} url */
export const migrationsTable = (url) => `${pg.escapeIdentifier(findSchema(url) ?? 'public')}._prisma_migrations`;

/** The names of all migrations. */
export const listMigrations = () => readdirSync(DIRECTORY);

/**
 * Whether a database has the named migrations as they are in the folder.
 * @param {string} databaseUrl @param {string[]} [names]
 * @returns {Promise<string | null>} an ID that no other database has, if it is up to date; otherwise null
 */
export async function findMigrated(databaseUrl, names = listMigrations()) {
  /** @type {pg.Client | undefined} */
  let client;
  try {
    client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      `SELECT id, migration_name, checksum FROM ${migrationsTable(databaseUrl)} WHERE finished_at IS NOT NULL ORDER BY started_at`,
    );
    const applied = new Set(rows.map(({ migration_name: name, checksum }) => `${name} ${checksum}`));
    const isApplied = names.flatMap(withChecksum).every(({ name, checksum }) => applied.has(`${name} ${checksum}`));
    return isApplied ? rows[0].id : null;
  } catch {
    return null; // Prisma says what is wrong, if something is
  } finally {
    await client?.end().catch(() => {});
  }
}

/** A migration with its checksum, as Prisma computes it; none for other files of the folder. @param {string} name */
export function withChecksum(name) {
  const file = path.join(DIRECTORY, name, 'migration.sql');
  return existsSync(file) ? [{ name, checksum: createHash('sha256').update(readFileSync(file)).digest('hex') }] : [];
}
