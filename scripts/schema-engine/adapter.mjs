// What the schema engine needs of a database: the official adapter over `pg`, with two gaps of it filled, and a
// throw-away PGlite as the shadow database of `prisma migrate dev`.
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { findSchema } from '../database/migrations.mjs';
import { startDatabase } from '../database/start.mjs';
import { EMBEDDED_URL } from './url.mjs';

const ONE_BYTE_CHAR = 18; // pg_catalog."char"
const TEXT = 25;

/**
 * A migration may take longer than a query of the app, whatever limit its role has. One that waits for a lock holds up every
 * later query of that table, so it gives up soon.
 */
const SESSION = "SET statement_timeout = 0; SET lock_timeout = '10s'";

/**
 * adapter-pg splits scripts on ";" (which breaks function bodies) and does not map pg_catalog's one-byte "char".
 * Only migrations meet either.
 * @param {any} adapter
 */
function forMigrations(adapter) {
  const queryRaw = adapter.queryRaw;
  adapter.executeScript = async (/** @type {string} */ script) => {
    try {
      await adapter.underlyingDriver().query(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  adapter.queryRaw = async (/** @type {unknown} */ query) => {
    /** @type {number[]} */
    const charColumns = [];
    const performIO = async (/** @type {unknown} */ q) => {
      const result = await adapter.performIO(q);
      result.fields.forEach((/** @type {{ dataTypeID: number }} */ field, /** @type {number} */ index) => {
        if (field.dataTypeID !== ONE_BYTE_CHAR) return;
        field.dataTypeID = TEXT;
        charColumns.push(index);
      });
      return result;
    };
    const result = await queryRaw.call(Object.create(adapter, { performIO: { value: performIO } }), query);
    for (const index of charColumns) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return adapter;
}

/** @param {string} url @param {string} schema created if it is missing @param {() => Promise<void>} [dispose] */
async function connectTo(url, schema, dispose) {
  const name = pg.escapeIdentifier(schema);
  // IF NOT EXISTS would ask for the right to create one, even if it exists.
  const create = `DO $$ BEGIN IF to_regnamespace(${pg.escapeLiteral(name)}) IS NULL THEN CREATE SCHEMA ${name}; END IF; END $$`;
  const settings = `${SESSION}; ${create}; SET search_path = ${name}`;
  const pool = new pg.Pool({ connectionString: url, max: 1, onConnect: (session) => session.query(settings) });
  const adapter = forMigrations(await new PrismaPg(pool, { schema, disposeExternalPool: true }).connect());
  const disposeAdapter = adapter.dispose.bind(adapter);
  adapter.dispose = async () => {
    await disposeAdapter();
    await dispose?.();
  };
  return adapter;
}

/** Drops every schema that is not PostgreSQL's own. @param {string} url */
async function emptyDatabase(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'",
  );
  await client.query(`DROP SCHEMA ${rows.map(({ name }) => name).join(', ')} CASCADE; CREATE SCHEMA public`);
  await client.end();
}

/**
 * @param {string} url a PostgreSQL URL, or `EMBEDDED_URL` followed by a data directory to open for this command
 */
export function migrationAdapterFactory(url) {
  /** @type {Promise<{ url: string, stop(): Promise<void> }> | undefined} */
  let embedded;
  /**
   * Shadow databases that are free again. The engine asks for one after the other, and starting one takes seconds.
   * @type {Array<{ url: string, stop(): Promise<void> }>}
   */
  const spare = [];
  const schema = findSchema(url) ?? 'public';
  return {
    provider: /** @type {const} */ ('postgres'),
    adapterName: '@prisma/adapter-pg',
    async connect() {
      if (!url.startsWith(EMBEDDED_URL)) return connectTo(url, schema);
      embedded ??= startDatabase(decodeURIComponent(url.slice(EMBEDDED_URL.length)));
      return connectTo((await embedded).url, schema);
    },
    async connectToShadowDb() {
      const shadow = spare.pop() ?? (await startDatabase('memory://'));
      return connectTo(shadow.url, schema, async () => {
        await emptyDatabase(shadow.url);
        spare.push(shadow);
      });
    },
    async close() {
      await Promise.all([...spare, await embedded].map((database) => database?.stop()));
    },
  };
}
