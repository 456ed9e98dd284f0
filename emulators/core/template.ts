// Initialising a database takes seconds, starting from a copy of one takes much less. The first one is kept as a file.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const FOLDER = path.join(import.meta.dirname, '..', '.cache');

/** Each version of PGlite makes its own. */
function templateFile(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest = JSON.parse(readFileSync(path.join(path.dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return path.join(FOLDER, `pglite-${manifest.version}.tar`);
}

/** A new, empty database in `directory`. */
export async function createDatabase(directory: string): Promise<PGlite> {
  const file = templateFile();
  if (existsSync(file)) return PGlite.create(directory, { loadDataDir: await openAsBlob(file) });
  const db = await PGlite.create(directory);
  try {
    mkdirSync(FOLDER, { recursive: true });
    const scratch = `${file}.${randomBytes(4).toString('hex')}`;
    writeFileSync(scratch, Buffer.from(await (await db.dumpDataDir('none')).arrayBuffer()));
    renameSync(scratch, file);
  } catch {
    // A folder that cannot be written costs time, nothing else.
  }
  return db;
}
