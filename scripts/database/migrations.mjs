// Which migrations a database gets: those of the parts that are on. A migration's name says which part it belongs to.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { isServiceEmbedded } from '../../lib/service/switch.mjs';

/** @typedef {Record<string, string | undefined>} Environment */

const DIRECTORY = 'prisma/migrations';
const OF_THE_SERVICE = /^\d+_service/;

/** @param {Environment} env */
const namesFor = (env) => readdirSync(DIRECTORY).filter((name) => isServiceEmbedded(env) || !OF_THE_SERVICE.test(name));

/**
 * The folder from which Prisma takes the migrations. A remote tracking service has tables of its own elsewhere: there it
 * is a copy without the service's, which is gone when this process ends.
 * @param {Environment} env
 */
export function migrationsDirectory(env) {
  if (isServiceEmbedded(env)) return DIRECTORY;
  const directory = mkdtempSync(path.join(tmpdir(), 'migrations-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const name of namesFor(env)) {
    cpSync(path.join(DIRECTORY, name), path.join(directory, name), { recursive: true });
  }
  return directory;
}

/**
 * Asks a database whether it has every migration as it is in the folder, which costs less than starting Prisma.
 * @param {string} databaseUrl @param {Environment} env
 * @returns {Promise<string | null>} an ID that no other database has, where it is up to date; otherwise null
 */
export async function findMigrated(databaseUrl, env) {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { rows } = await client.query(
      'SELECT id, migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY started_at',
    );
    const applied = new Set(rows.map(({ migration_name: name, checksum }) => `${name} ${checksum}`));
    return migrationFiles(env).every((file) => applied.has(file)) ? rows[0].id : null;
  } catch {
    return null; // Prisma says what is wrong, where something is
  } finally {
    await client.end().catch(() => {});
  }
}

/** Each migration with its checksum, as Prisma computes it. @param {Environment} env */
function migrationFiles(env) {
  return namesFor(env).flatMap((name) => {
    const file = path.join(DIRECTORY, name, 'migration.sql');
    return existsSync(file) ? [`${name} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`] : [];
  });
}
