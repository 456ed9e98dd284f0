// Migrations of a part that is removed. Where no database of your own has them, they are deleted. Where one has them, they
// stay, and one that drops the tables is added.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { DIRECTORY } from '../database/migrations.mjs';
import { explainUnreadDatabase } from '../local-env.mjs';
import { Refusal } from './request.mjs';

/** @param {RegExp} names */
const foldersOf = (names) =>
  existsSync(DIRECTORY)
    ? readdirSync(DIRECTORY)
        .filter((folder) => names.test(folder))
        .map((folder) => path.join(DIRECTORY, folder))
    : [];

/**
 * Which of the part's migrations your database has: none where there is only the embedded one, whose data is for this machine.
 * @param {RegExp} names @param {import('../local-env.mjs').Environment} env @returns {Promise<string[]>} throws a Refusal
 */
export async function findAppliedMigrations(names, env) {
  const problem = explainUnreadDatabase(env);
  if (problem) throw new Refusal(problem);
  const { DATABASE_URL: connectionString } = env;
  if (!connectionString) return [];
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    const { rows } = await client.query('SELECT migration_name AS name FROM _prisma_migrations ORDER BY started_at');
    return rows.map(({ name }) => String(name)).filter((name) => names.test(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42P01') return []; // it has no tables of ours
    const reason = error instanceof Error ? error.message || error.name : error;
    throw new Refusal(`DATABASE_URL cannot be read: ${reason}. Start that database, or unset the variable.`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** @param {RegExp} names */
export function deleteMigrations(names) {
  for (const folder of foldersOf(names)) rmSync(folder, { recursive: true });
}

/** Adds a migration that drops what the part's migrations create. @param {RegExp} names @param {string} part @param {Date} now */
export function addDroppingMigration(names, part, now) {
  const sql = foldersOf(names).map((folder) => readFileSync(path.join(folder, 'migration.sql'), 'utf8'));
  const time = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = path.join(DIRECTORY, `${time}_drop_${part}`);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'migration.sql'), dropTables(sql.join('\n')));
}

/** @param {string} sql what creates the tables */
export const dropTables = (sql) =>
  [...sql.matchAll(/^CREATE TABLE "(\w+)"/gm)]
    .map(([, table]) => `DROP TABLE IF EXISTS "${table}" CASCADE;\n`)
    .join('');
