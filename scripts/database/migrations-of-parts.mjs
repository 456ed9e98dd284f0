// Which migrations a database gets: those of the parts that are on. A migration's name says which part it belongs to.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isServiceEmbedded } from '../../lib/service/switch.mjs';
import { DIRECTORY, listMigrations } from './migrations.mjs';

/** @typedef {Record<string, string | undefined>} Environment */

const OF_THE_SERVICE = /^\d+_service/;

/** @param {Environment} env */
export const migrationsFor = (env) =>
  listMigrations().filter((name) => isServiceEmbedded(env) || !OF_THE_SERVICE.test(name));

/**
 * The folder from which Prisma takes the migrations. A remote tracking service has tables of its own elsewhere: there it
 * is a copy without the service's, which is gone when this process ends.
 * @param {Environment} env
 */
export function migrationsDirectory(env) {
  if (isServiceEmbedded(env)) return DIRECTORY;
  const directory = mkdtempSync(path.join(tmpdir(), 'migrations-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const name of migrationsFor(env)) {
    cpSync(path.join(DIRECTORY, name), path.join(directory, name), { recursive: true });
  }
  return directory;
}
