// Initializing a database and creating its tables takes seconds, starting from a copy takes much less. The first one is
// kept as a file.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { SCHEMA } from './schema';

const FOLDER = path.join(import.meta.dirname, '..', '.cache');

/** PostgreSQL's default of 128 MB costs half a second at each start, and memory that a local run does not need. */
const SHARED_BUFFERS = ['-c', 'shared_buffers=32MB'];

/** The only database that PGlite opens. PostgreSQL's templates for others are more than half of a new one's files. */
const DROP_TEMPLATES = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
];

/** Each version of PGlite and of the tables makes its own. */
function templateFile(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest = JSON.parse(readFileSync(path.join(path.dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const tables = createHash('sha256').update(SCHEMA).digest('hex').slice(0, 8);
  return path.join(FOLDER, `pglite-${manifest.version}-${tables}.tar`);
}

/** The database in `directory`, or a new one. @param state an archive of a data directory, to start from */
export const openDatabase = (directory: string, state?: Blob): Promise<PGlite> =>
  PGlite.create(directory, {
    ...(state && { loadDataDir: state }),
    startParams: [...PGlite.defaultStartParams, ...SHARED_BUFFERS],
  });

/** A new database in `directory`, with empty tables. */
export async function createDatabase(directory: string): Promise<PGlite> {
  const file = templateFile();
  // Read whole and at once: another start may replace the file, and a Blob that refers to it could not be read any more.
  if (existsSync(file)) return openDatabase(directory, new Blob([readFileSync(file)]));
  const db = await openDatabase(directory);
  await db.exec(SCHEMA);
  try {
    for (const statement of DROP_TEMPLATES) await db.exec(statement);
    await db.exec('CHECKPOINT'); // a copy need not replay what was written so far
    mkdirSync(FOLDER, { recursive: true });
    const scratch = `${file}.${randomBytes(4).toString('hex')}`;
    writeFileSync(scratch, Buffer.from(await (await db.dumpDataDir('none')).arrayBuffer()));
    renameSync(scratch, file);
  } catch {
    // A folder that is not writable costs only time.
  }
  return db;
}
