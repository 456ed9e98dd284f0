// All state of the emulators: one PGlite in this process. It has a single session, so transactions run one at a time and
// a transaction needs no locks.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { lockDirectory } from './lock';
import { SCHEMA, SCHEMA_VERSION } from './schema';

export const IN_MEMORY = 'memory://';

/** Runs one statement and returns its rows. Parameters are $1, $2, …; pass JSON as text and cast it. */
export type Sql = <Row = Record<string, unknown>>(text: string, params?: unknown[]) => Promise<Row[]>;

type Queryable = Pick<PGlite, 'query'>;

const over =
  (connection: Queryable): Sql =>
  async <Row>(text: string, params: unknown[] = []) =>
    (await connection.query<Row>(text, params)).rows;

export class Database {
  private constructor(
    private readonly db: PGlite,
    private readonly unlock: () => Promise<void>,
  ) {}

  /**
   * Opens the state in `directory`, or new state in memory.
   * @param options.owner who opens it, as a second opener is told: the address that this process serves
   * @param options.from a file that `dump` has written, to start from
   * @throws DirectoryBusyError where another process has it open
   */
  static async open(directory: string, options: { owner: string; from?: Blob }): Promise<Database> {
    const isFile = directory !== IN_MEMORY;
    if (isFile) mkdirSync(path.dirname(path.resolve(directory)), { recursive: true });
    const unlock = isFile ? await lockDirectory(directory, options.owner) : async () => {};
    try {
      if (isFile && options.from && existsSync(directory)) {
        throw new Error(`${directory} has state already. Delete the folder, or import into another one (--data).`);
      }
      const db = await PGlite.create(directory, { ...(options.from && { loadDataDir: options.from }) });
      const database = new Database(db, unlock);
      await database.prepare(directory);
      return database;
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  private async prepare(directory: string): Promise<void> {
    await this.db.exec(SCHEMA);
    const [row] = await this.read((sql) => sql<{ value: string }>("SELECT value FROM secret WHERE name = 'schema'"));
    if (row && row.value !== SCHEMA_VERSION) {
      throw new Error(`The emulators' state in ${directory} was written by another version. Delete that folder.`);
    }
    await this.read((sql) => sql("INSERT INTO secret VALUES ('schema', $1) ON CONFLICT DO NOTHING", [SCHEMA_VERSION]));
  }

  /** Runs statements outside a transaction. */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return work(over(this.db));
  }

  /** Runs a transaction: all of `work` happens, or nothing. Use only the `sql` inside, as any other statement waits. */
  change<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.db.transaction((tx) => work(over(tx)));
  }

  /** The whole state as one file. */
  dump(): Promise<Blob> {
    return this.db.dumpDataDir('gzip');
  }

  async close(): Promise<void> {
    await this.db.close();
    await this.unlock();
  }
}
