// Says why a database cannot be used, and what to do, in one sentence each. Commands ask before they do anything with it.
import pg from 'pg';
import { listMigrations, migrationsTable, withChecksum } from './migrations.mjs';

const LIMIT_MS = 5_000;
const WHERE = 'Where to find it: the settings of your PostgreSQL.';

/** By the code of Node or PostgreSQL: what is wrong with the address. @type {Record<string, (place: string) => string>} */
const EXPLANATIONS = {
  ECONNREFUSED: (place) =>
    `nothing listens at ${place}. Start the database (\`npm run dev\` has one), or correct the URL. ${WHERE}`,
  ENOTFOUND: (place) => `there is no host ${place}. Correct the host. ${WHERE}`,
  EAI_AGAIN: (place) => `the name ${place} cannot be resolved. Correct the host, or check the network. ${WHERE}`,
  ETIMEDOUT: (place) => `${place} does not respond. Check the host, and that its firewall lets this machine in.`,
  ECONNRESET: (place) =>
    `${place} closed the connection. Check that it is PostgreSQL; if it requires TLS, add ?sslmode=require.`,
  '28P01': () => `its user name or password is wrong. ${WHERE}`,
  28000: () => `the server refuses this user or this connection. If it requires TLS, add ?sslmode=require. ${WHERE}`,
  '3D000': (place) => `${place} has no database of that name. Create it (createdb), or correct the end of the URL.`,
  53300: () => 'the server has no connection left. Close some, or use the address of its pooler.',
  '57P03': () => 'the server is starting up. Try again in a moment.',
  42501: () => 'the user may not read the tables. Grant it the rights of the owner.',
  DEPTH_ZERO_SELF_SIGNED_CERT: () => 'the certificate is self-signed. Name its authority (?sslrootcert=…).',
  SELF_SIGNED_CERT_IN_CHAIN: () => 'the certificate is self-signed. Name its authority (?sslrootcert=…).',
};

/**
 * @param {unknown} error of a connection or a query @param {string} url
 * @param {import('../local-env.mjs').Environment} [env] in which it was connected
 */
export function explainDatabaseError(error, url, env = process.env) {
  const { code = '', message = '', errors = [] } = /** @type {any} */ (error ?? {});
  const known = EXPLANATIONS[code] ?? EXPLANATIONS[errors[0]?.code];
  if (known) return `DATABASE_URL: ${known(placeOf(url))}`;
  if (/timeout/i.test(message)) return `DATABASE_URL: ${EXPLANATIONS.ETIMEDOUT?.(placeOf(url))}`;
  if (/SSL/i.test(message)) return `DATABASE_URL: the server has no TLS. ${refuseTls(url, env)} (${message})`;
  return `DATABASE_URL: the database cannot be used (${[code, message].filter(Boolean).join(': ')}).`;
}

/**
 * How to ask for no TLS: the URL decides, and if it says nothing the variable does.
 * @param {string} url @param {import('../local-env.mjs').Environment} env
 */
const refuseTls = (url, env) =>
  env.PGSSLMODE && !/[?&]ssl/.test(url) ? 'Unset PGSSLMODE, which asks for it.' : 'Remove sslmode from the URL.';

/** Without user name and password. @param {string} url */
const placeOf = (url) => (URL.canParse(url) ? new URL(url).host : 'its address');

/**
 * @typedef {{ state: 'ready', count: number, id: string }
 *   | { state: 'unusable' | 'empty' | 'pending' | 'changed', message: string }} Diagnosis
 */

/**
 * Whether a database can be reached and has its tables; if so, with an ID that no other database has. Costs less than starting Prisma.
 * @param {string} url @param {string[]} [names] the migrations that it needs
 * @returns {Promise<Diagnosis>}
 */
export async function diagnoseDatabase(url, names = listMigrations()) {
  let applied;
  try {
    applied = await readApplied(url);
  } catch (error) {
    return { state: 'unusable', message: explainDatabaseError(error, url) };
  }
  const needed = names.flatMap(withChecksum);
  const [first] = applied;
  if (!first) {
    return {
      state: 'empty',
      message: 'DATABASE_URL: the database has no tables yet. Run `npx prisma migrate deploy`, which creates them.',
    };
  }
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const missing = needed.filter(({ name }) => !checksums.has(name)).map(({ name }) => name);
  const changed = needed.filter(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum);
  if (changed.length > 0) {
    const which = changed.map(({ name }) => name).join(', ');
    return {
      state: 'changed',
      message: `DATABASE_URL: the database has another version of ${which}. \`npx prisma migrate status\` shows the difference.`,
    };
  }
  if (missing.length > 0) {
    return {
      state: 'pending',
      message: `DATABASE_URL: the database lacks ${missing.join(', ')}. Run \`npx prisma migrate deploy\`.`,
    };
  }
  return { state: 'ready', count: needed.length, id: first.id };
}

/** The migrations that are applied, oldest first. @param {string} url @returns {Promise<Array<{ id: string, name: string, checksum: string }>>} */
async function readApplied(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS });
  client.on('error', () => {}); // a connection that breaks later; the query rejects by itself
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT id, migration_name AS name, checksum FROM ${migrationsTable(url)}
        WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY started_at`,
    );
    return rows;
  } catch (error) {
    if (/** @type {any} */ (error).code === '42P01') return []; // Prisma's own table is not there
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
