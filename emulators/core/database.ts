// All state of the emulators: one PGlite in this process. It has a single session, so transactions run one at a time and
// a transaction needs no locks.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { keepOutOfGit } from './files';
import { DirectoryUnusableError, lockDirectory } from './lock';
import { RESET, SCHEMA, SCHEMA_VERSION } from './schema';
import { createDatabase, openDatabase } from './template';

export const IN_MEMORY = 'memory://';

const NO_SPACE_LEFT = 51; // the number of ENOSPC in WebAssembly

/** Runs one statement and returns its rows. Parameters are $1, $2, …; pass JSON as text and cast it. */
export type Sql = <Row = Record<string, unknown>>(text: string, params?: unknown[]) => Promise<Row[]>;

type Queryable = Pick<PGlite, 'query'>;

const over =
  (connection: Queryable): Sql =>
  async <Row>(text: string, params: unknown[] = []) =>
    (await connection.query<Row>(text, params)).rows;

export class Database {
  private readonly active = new Set<Promise<unknown>>();
  /** Set while another state replaces this one: work waits for it. */
  private replaced: Promise<void> | null = null;
  /** The last call of `replace`: calls share a folder, so they run one after the other. */
  private replacing: Promise<void> = Promise.resolve();

  private constructor(
    private db: PGlite,
    private readonly directory: string,
    private readonly unlock: () => Promise<void>,
  ) {}

  /**
   * Opens the state in the folder `place`, or new state in memory.
   * @param options.owner what a second opener is told about this one: the address that this process serves
   * @param options.pid the process that it is told to stop, if it is not this one
   * @param options.from a file written by `dump`, to start from
   * @throws DirectoryBusyError if another process has it open, DirectoryUnusableError if its disk is full, another version
   *   of the emulators or major version of PostgreSQL has made it, or `from` would replace it; StateFileError if `from` is
   *   not such a file
   */
  static async open(place: string, options: { owner: string; pid?: number; from?: Blob }): Promise<Database> {
    const isFile = place !== IN_MEMORY;
    const directory = isFile ? path.resolve(place) : place;
    if (isFile) mkdirSync(path.dirname(directory), { recursive: true });
    const unlock = isFile ? await lockDirectory(directory, options.owner, options.pid) : async () => {};
    tidy(directory);
    const isNew = !isFile || !existsSync(directory);
    try {
      if (options.from && !isNew) {
        throw new DirectoryUnusableError(
          `${directory} has state already. Delete the folder, or import into another one (--data).`,
        );
      }
      if (isFile && isNew) writeFileSync(unfinishedOf(directory), '');
      const db = options.from
        ? await openDatabase(directory, await unpack(options.from))
        : await (isNew ? createDatabase(directory) : openDatabase(directory));
      if (options.from || !isNew) await db.exec(SCHEMA);
      await checkVersion(db, options.from ? null : directory);
      if (isFile) rmSync(unfinishedOf(directory), { force: true });
      if (isFile) keepOutOfGit(directory);
      return new Database(db, directory, unlock);
    } catch (error) {
      tidy(directory);
      await unlock();
      throw (await explainVersion(directory, isNew).catch(() => null)) ?? explainFileError(error, directory);
    }
  }

  /** Runs statements outside a transaction. */
  query<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.run(() => work(over(this.db)));
  }

  /** Runs a transaction: all of `work` happens, or nothing. Inside, use only its `sql`: any other statement would wait for it. */
  change<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.run(() => this.db.transaction((tx) => work(over(tx))));
  }

  /** The whole state as one file. */
  dump(): Promise<Blob> {
    return this.run(() => this.db.dumpDataDir('gzip'));
  }

  /** Empties the state, except for secrets and one-time setup: the catalog, portal configurations and webhook endpoints. */
  async reset(): Promise<void> {
    await this.run(async () => {
      await this.db.transaction((tx) => tx.exec(RESET));
      await this.db.exec('VACUUM object, unique_value'); // PGlite has no autovacuum: without it, their space is not reused
    });
  }

  /**
   * Replaces the state with one from `dump` while the server runs: running work finishes first, new work waits.
   * @param adapt changes the new state before it is used
   * @throws if `from` is not such a state, or the disk is full; then this state is unchanged
   */
  replace(from: Blob, adapt: (sql: Sql) => Promise<void> = async () => {}): Promise<void> {
    const done = this.replacing
      .then(() => this.prepare(from, adapt))
      .then((next) => this.swap(next))
      .catch((error) => {
        throw explainFileError(error, this.incoming);
      })
      .finally(() => tidy(this.directory));
    this.replacing = done.catch(() => {});
    return done;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.active);
    await this.db.close();
    await this.unlock();
  }

  private get incoming(): string {
    return this.directory === IN_MEMORY ? IN_MEMORY : incomingOf(this.directory);
  }

  private async prepare(from: Blob, adapt: (sql: Sql) => Promise<void>): Promise<PGlite> {
    let next: PGlite | undefined;
    try {
      next = await openDatabase(this.incoming, await unpack(from));
      await next.exec(SCHEMA);
      await checkVersion(next, null);
      await next.transaction((tx) => adapt(over(tx)));
      if (this.directory !== IN_MEMORY) keepOutOfGit(this.incoming);
      return next;
    } catch (error) {
      await next?.close().catch(() => {});
      throw error;
    }
  }

  private async swap(next: PGlite): Promise<void> {
    let finish = () => {};
    this.replaced = new Promise((resolve) => {
      finish = resolve;
    });
    try {
      await Promise.allSettled(this.active);
      const last = this.db;
      this.db = this.directory === IN_MEMORY ? next : await this.move(next);
      await last.close().catch(() => {}); // in memory: one in a folder is closed before it is moved
    } finally {
      this.replaced = null;
      finish();
    }
  }

  /** Replaces this state's folder with the next one's. If that fails, this one is opened again. */
  private async move(next: PGlite): Promise<PGlite> {
    const outgoing = outgoingOf(this.directory);
    let isMoved = false;
    try {
      await this.db.close();
      await next.close();
      renameSync(this.directory, outgoing);
      isMoved = true;
      renameSync(this.incoming, this.directory);
      return await openDatabase(this.directory);
    } catch (error) {
      await Promise.allSettled([this.db.close(), next.close()]); // closes whichever is still open
      if (isMoved) {
        rmSync(this.directory, { recursive: true, force: true });
        renameSync(outgoing, this.directory);
      }
      this.db = await openDatabase(this.directory);
      throw error;
    }
  }

  private async run<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.replaced) await this.replaced;
    const running = work();
    this.active.add(running);
    return running.finally(() => this.active.delete(running));
  }
}

/** A file that exists until a new state is complete: what a killed start left behind is not a state. */
const unfinishedOf = (directory: string) => `${directory}.emulators-unfinished`;

/** Where the next state is created. */
const incomingOf = (directory: string) => `${directory}.emulators-incoming`;

/** Where a state waits until the next one is open. */
const outgoingOf = (directory: string) => `${directory}.emulators-outgoing`;

/**
 * Removes a new state that was not completed, and ends a replacement, also after the process ended during it: restores the
 * previous state if no new one replaced it.
 */
function tidy(directory: string): void {
  if (directory === IN_MEMORY) return;
  const unfinished = unfinishedOf(directory);
  if (existsSync(unfinished))
    for (const part of [directory, unfinished]) rmSync(part, { recursive: true, force: true });
  const [incoming, outgoing] = [incomingOf(directory), outgoingOf(directory)];
  if (!existsSync(directory) && existsSync(outgoing)) renameSync(outgoing, directory);
  try {
    for (const folder of [incoming, outgoing]) rmSync(folder, { recursive: true, force: true });
  } catch {} // only the next replacement needs them gone
}

/** PGlite's file system throws a number without a message, Node's an error with a code. Any other error is returned unchanged. */
function explainFileError(error: unknown, directory: string): unknown {
  const { errno, code } = error as { errno?: number; code?: string };
  if (error instanceof Error ? !/^E[A-Z]+$/.test(code ?? '') : errno === undefined) return error;
  return new DirectoryUnusableError(
    errno === NO_SPACE_LEFT || code === 'ENOSPC'
      ? `${directory} has no space left. Make room on its disk, or use a folder on another one (--data, or DATA_DIR).`
      : `${directory} cannot be opened (file system error ${code ?? errno}). Delete the folder, or use another one (--data, or DATA_DIR).`,
  );
}

/** If a folder is from another major version of PostgreSQL, PGlite says only that it failed. */
async function explainVersion(directory: string, isNew: boolean): Promise<Error | null> {
  const file = path.join(directory, 'PG_VERSION');
  if (isNew || !existsSync(file)) return null;
  const version = readFileSync(file, 'utf8').trim();
  const db = await createDatabase(IN_MEMORY);
  const { rows } = await db.query<{ server_version: string }>('SHOW server_version');
  await db.close();
  const installed = rows[0]?.server_version.split('.')[0];
  if (version === installed) return null;
  return new DirectoryUnusableError(
    `${directory} was made by PostgreSQL ${version}, and the installed PGlite is PostgreSQL ${installed}. ` +
      'Delete the folder, or use another one (--data, or DATA_DIR).',
  );
}

export class StateFileError extends Error {
  override readonly name = 'StateFileError';
}

/**
 * The archive in a file written by `dump`. PGlite's own unpacking ends the process if the file is damaged or not an archive, and its
 * error does not say that an archive has no database.
 */
async function unpack(file: Blob): Promise<Blob> {
  const archive = await promisify(gunzip)(await file.arrayBuffer()).catch(() => null);
  if (archive?.toString('latin1', 257, 262) !== 'ustar' || !archive.includes('PG_VERSION')) {
    throw new StateFileError('The file is not an exported state, or only a part of one.');
  }
  return new Blob([new Uint8Array(archive)], { type: 'application/x-tar' });
}

/** @param directory null for a state from a file */
async function checkVersion(db: PGlite, directory: string | null): Promise<void> {
  const sql = over(db);
  const [row] = await sql<{ value: string }>("SELECT value FROM secret WHERE name = 'schema'");
  if (row && row.value !== SCHEMA_VERSION) {
    throw new DirectoryUnusableError(
      directory === null
        ? 'The state in that file was written by another version of the emulators. Start without it.'
        : `The emulators' state in ${directory} was written by another version. Delete that folder.`,
    );
  }
  await sql("INSERT INTO secret VALUES ('schema', $1) ON CONFLICT DO NOTHING", [SCHEMA_VERSION]);
}

/** Whether a URL or a form has a null character, which PostgreSQL cannot store. */
export const hasNull = (text: string): boolean => text.includes('%00') || text.includes('\0');
