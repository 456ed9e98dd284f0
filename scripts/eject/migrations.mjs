// Migrations of a part that is removed. Where no database of your own has them, they are deleted. Where one has them, they
// stay, and one that drops the tables is added.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { DIRECTORY, migrationsTable } from '../database/migrations.mjs';
import { Refusal } from './request.mjs';

/** @param {RegExp} names */
const foldersOf = (names) =>
  existsSync(DIRECTORY)
    ? readdirSync(DIRECTORY)
        .filter((folder) => names.test(folder))
        .map((folder) => path.join(DIRECTORY, folder))
    : [];

/** The files that Next reads, in development or in production. */
const FILES = ['', '.development', '.production'].flatMap((mode) => [`.env${mode}`, `.env${mode}.local`]);

/**
 * Every DATABASE_URL of the shell and of the files: one hides another from Next, and here all count.
 * @returns {Record<string, string>} keyed by where it is set
 */
export function findDatabases() {
  const named = FILES.filter((file) => existsSync(file)).map((file) => [file, readAddress(file)]);
  const databases = [['your shell', process.env.DATABASE_URL], ...named];
  return Object.fromEntries(databases.filter(([, url]) => url?.trim()));
}

/** A file's DATABASE_URL, with the variables in it as Next expands them. @param {string} file */
function readAddress(file) {
  const values = parseEnv(readFileSync(file, 'utf8'));
  return values.DATABASE_URL?.replace(/\\\$|\$\{?(\w+)\}?/g, (_, name) =>
    name === undefined ? '$' : (process.env[name] ?? values[name] ?? ''),
  );
}

/**
 * Which of the part's migrations your databases have: none if there is only the embedded one, whose data is for this machine.
 * @param {RegExp} names @param {Record<string, string>} databases keyed by where they are set
 * @returns {Promise<string[]>} throws a Refusal
 */
export async function findAppliedMigrations(names, databases) {
  /** @type {Set<string>} */
  const applied = new Set();
  for (const [place, url] of Object.entries(databases)) {
    for (const name of await readMigrations(place, url)) if (names.test(name)) applied.add(name);
  }
  return [...applied];
}

/** @param {string} place @param {string} connectionString @returns {Promise<string[]>} throws a Refusal */
async function readMigrations(place, connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const table = migrationsTable(connectionString);
    const { rows } = await client.query(`SELECT migration_name AS name FROM ${table} ORDER BY started_at`);
    return rows.map(({ name }) => String(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42P01') return []; // it has no tables of ours
    const reason = error instanceof Error ? error.message || error.name : error;
    throw new Refusal(
      `The DATABASE_URL of ${place} cannot be read: ${reason}. Make that database reachable, or remove the variable if there is ` +
        'no such database.',
    );
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
