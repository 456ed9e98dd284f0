import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import { escapeIdentifier, Pool } from 'pg';
import { readDatabaseUrl } from './database-url';
import { PrismaClient } from './generated/client';

type PoolLimits = {
  maxConnections: number;
  /** How long a caller waits for a free or a new connection. */
  acquireTimeoutMs: number;
  /** How long a statement may run. */
  statementTimeoutMs: number;
};

/** The client is made on first use: some pools run direct statements only. */
type Database = { readonly client: PrismaClient; pool: Pool; close: () => Promise<void> };

// A webhook needs a response within seconds, even if the database hangs.
const LIMITS: PoolLimits = { maxConnections: 10, acquireTimeoutMs: 5_000, statementTimeoutMs: 5_000 };

/** A transaction is rolled back by then; if this process no longer can, because it is frozen or gone, the server does it later. */
const TRANSACTION_LIMIT_MS = 15_000;
const IDLE_TRANSACTION_LIMIT_MS = 20_000;

/**
 * A pool whose sessions are in UTC: Prisma's adapter writes and reads times without their zone. Session settings are statements,
 * not startup parameters, which RDS Proxy and older versions of PgBouncer reject.
 */
export function createPool(connectionString: string, limits: PoolLimits): Pool {
  const schema = schemaOf(connectionString);
  const searchPath = schema ? `; SET search_path = ${escapeIdentifier(schema)}` : '';
  const pool = new Pool({
    connectionString,
    max: limits.maxConnections,
    connectionTimeoutMillis: limits.acquireTimeoutMs,
    // The client's own limit, because PGlite ignores the server's and a server that hangs never applies it.
    query_timeout: limits.statementTimeoutMs,
    // So that plans of prepared statements adapt as tables grow.
    maxLifetimeSeconds: 600,
    pipeline: true,
    onConnect: (session) =>
      session.query(
        `SET TIME ZONE 'UTC'; SET statement_timeout = ${Math.floor(limits.statementTimeoutMs)}; ` +
          `SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_LIMIT_MS}${searchPath}`,
      ),
  });
  // The pool replaces an idle connection that breaks; without a listener, the error would end the process.
  pool.on('error', (error: NodeJS.ErrnoException) =>
    console.error(`database: an idle connection was lost: ${error.code ?? error.name}`),
  );
  // One that breaks in use rejects its statements, and would end the process too.
  pool.on('connect', (session) => session.on('error', () => {}));
  return pool;
}

/** Only Prisma's CLI reads it from the URL: the adapter needs it as an option, and raw statements use the search path. */
const schemaOf = (url: string): string | null => new URL(url).searchParams.get('schema');

function createDatabase(limits: PoolLimits): Database {
  const url = readDatabaseUrl();
  const pool = createPool(url, limits);
  let client: PrismaClient | undefined;
  return {
    pool,
    get client() {
      client ??= createClient(pool, schemaOf(url));
      return client;
    },
    close: () => (client ? client.$disconnect() : pool.end()),
  };
}

function createClient(pool: Pool, schema: string | null): PrismaClient {
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, ...(schema && { schema }) });
  // The adapter recognizes a pool by `instanceof`. With a second copy of `pg`, it would silently open its own, without the settings.
  // Only this private field shows which one it uses.
  if (Reflect.get(adapter, 'externalPool') !== pool) {
    throw new Error(
      'Prisma does not use the pool it was given, or its adapter keeps it elsewhere. `npm ls pg` must list one version of pg; ' +
        'if it does, look where this version of @prisma/adapter-pg keeps `externalPool`, and correct prisma/client.ts.',
    );
  }
  // `maxWait` covers getting a connection and BEGIN. It equals the statement limit, so that a hung database delays no response longer,
  // even though transactions on PGlite wait for each other.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: TRANSACTION_LIMIT_MS } });
}

const store = globalThis as typeof globalThis & { databases?: Map<string, Database> };

/**
 * The database, connected on first use, by the name of its pool. Separate pools keep one kind of work from waiting for another's
 * connections. Kept on `globalThis`, because in development every route has its own copy of this module.
 */
export function openDatabase(name: string, limits: Partial<PoolLimits> = {}): Database {
  const databases = (store.databases ??= new Map());
  const database = databases.get(name) ?? createDatabase({ ...LIMITS, ...limits });
  databases.set(name, database);
  return database;
}

/** Closes every connection; the next use opens new ones, at the address set by then. */
export async function closeDatabases(): Promise<void> {
  const open = [...(store.databases?.values() ?? [])];
  store.databases?.clear();
  await Promise.all(open.map(({ close }) => close()));
}

/** The client for each part's queries; rows do not leave them. */
export const database = (): PrismaClient => openDatabase('main').client;

/** The same connections without Prisma, for statements that cost less than its client. */
export const databasePool = (): Pool => openDatabase('main').pool;
