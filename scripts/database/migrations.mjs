// The migrations of the folder, and where Prisma keeps what a database has of them.
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

/** A migration with its checksum, as Prisma computes it; none for other files of the folder. @param {string} name */
export function withChecksum(name) {
  const file = path.join(DIRECTORY, name, 'migration.sql');
  return existsSync(file) ? [{ name, checksum: createHash('sha256').update(readFileSync(file)).digest('hex') }] : [];
}
