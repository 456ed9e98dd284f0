// Initializing a database takes seconds of CPU, starting from a copy of one takes much less. The first one is kept in
// node_modules/.cache, and every new one starts from it.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

const MODULES = new URL('../../node_modules/', import.meta.url);
const NO_SPACE_LEFT = 51; // the number of ENOSPC in WebAssembly
const FOLDER = new URL('.cache/embedded-database/', MODULES);

/** PostgreSQL's default of 128 MB costs half a second at each start, and memory that a local run does not need. */
const SHARED_BUFFERS = ['-c', 'shared_buffers=32MB'];

/** PGlite has one database that can be opened. PostgreSQL's templates for others are more than half of a new one's files. */
const DROP_TEMPLATES = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
];

/** Each version of PGlite makes its own. */
function templateFile() {
  const manifest = readFileSync(new URL('@electric-sql/pglite/package.json', MODULES), 'utf8');
  return fileURLToPath(new URL(`pglite-${JSON.parse(manifest).version}.tar`, FOLDER));
}

/**
 * Opens the database in a directory, or makes a new one there.
 * @param {string} directory a path, or `memory://`
 * @param {boolean} isNew
 */
export async function openDatabase(directory, isNew) {
  try {
    return await openOrCreate(directory, isNew);
  } catch (error) {
    if (error instanceof Error) throw (await explainVersion(directory).catch(() => null)) ?? error;
    // PGlite's file system throws a number without a message.
    const { errno } = /** @type {{ errno?: number }} */ (error);
    throw new Error(
      errno === NO_SPACE_LEFT
        ? `${directory} has no space left. Make room on its disk, or set DATA_DIR to a folder on another one.`
        : `${directory} cannot be opened (file system error ${errno}). Is it a data directory, and complete?`,
    );
  }
}

/** If a folder is from another major version of PostgreSQL, PGlite says only that it failed. @param {string} directory */
async function explainVersion(directory) {
  const file = path.join(directory, 'PG_VERSION');
  if (!existsSync(file)) return null;
  const version = readFileSync(file, 'utf8').trim();
  const db = await openOrCreate('memory://', true);
  const { rows } = await db.query('SHOW server_version');
  await db.close();
  const [installed] = rows[0].server_version.split('.');
  if (version === installed) return null;
  return new Error(
    `${directory} was made by PostgreSQL ${version}, and the installed PGlite is PostgreSQL ${installed}. ` +
      '`npm run db:reset` deletes the local data, and the next start creates a new database.',
  );
}

/** @param {string} directory @param {Blob} [state] an archive of a data directory, to start from */
const open = (directory, state) =>
  PGlite.create(directory, {
    ...(state && { loadDataDir: state }),
    startParams: [...PGlite.defaultStartParams, ...SHARED_BUFFERS],
  });

/** @param {string} directory @param {boolean} isNew */
async function openOrCreate(directory, isNew) {
  if (!isNew) return open(directory);
  const file = templateFile();
  // Read whole and at once: another start may replace the file, and a Blob that refers to it could not be read any more.
  if (existsSync(file)) return open(directory, new Blob([readFileSync(file)]));
  const db = await open(directory);
  try {
    for (const statement of DROP_TEMPLATES) await db.exec(statement);
    await db.exec('CHECKPOINT'); // a copy need not replay what was written so far
    mkdirSync(FOLDER, { recursive: true });
    const scratch = `${file}.${randomBytes(4).toString('hex')}`;
    writeFileSync(scratch, Buffer.from(await (await db.dumpDataDir('none')).arrayBuffer()));
    renameSync(scratch, file);
  } catch {
    // A folder that cannot be written costs time, nothing else.
  }
  return db;
}
