import 'server-only';
import { randomBytes } from 'node:crypto';
import { DatabaseError, type PoolClient, type QueryResult } from 'pg';
import { databasePool, openDatabase } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import type { Caller } from './http/caller';

// Prepared statements for ingestion, on Prisma's connections but without its client, which costs more than the statements.

/** How a value of each SQL type is sent. */
type Sent = { text: string; integer: number; bigint: number; boolean: boolean; timestamptz: string };

/** The SQL type of each value of a statement. One with a question mark may be absent. */
type Types = Record<string, keyof Sent | `${keyof Sent}?`>;

type ValuesOf<Of extends Types> = {
  [Name in keyof Of]: Of[Name] extends `${infer Type extends keyof Sent}?`
    ? Sent[Type] | null | undefined
    : Sent[Of[Name] & keyof Sent];
};

/** A placeholder in a statement. */
class Parameter {
  constructor(readonly name: string) {}
}

/** A statement with the values of one execution. */
type Execution = { name: string; text: string; values: unknown[] };

/**
 * Defines a statement once, for any number of executions.
 * @param types the types of its values
 * @param write builds the SQL from a placeholder per value; each may be used several times
 * @returns takes the values, for `run`
 */
export function statement<const Of extends Types>(
  name: string,
  types: Of,
  write: (places: Record<keyof Of, Prisma.Sql>) => Prisma.Sql,
): (values: ValuesOf<Of>) => Execution {
  const places = Object.entries(types).map(([value, type]) => [
    value,
    Prisma.sql`${new Parameter(value)}::${Prisma.raw(type.replace('?', ''))}`,
  ]);
  const { strings, values } = write(Object.fromEntries(places) as Record<keyof Of, Prisma.Sql>);
  const order: unknown[] = [];
  const positionOf = (value: unknown) => {
    const known = value instanceof Parameter ? order.indexOf(value) : -1; // one object, wherever it is used
    return known < 0 ? order.push(value) : known + 1;
  };
  const text = strings.reduce((sent, part, index) => `${sent}$${positionOf(values[index - 1])}${part}`);
  return (given) => ({
    name,
    text,
    values: order.map((one) => (one instanceof Parameter ? given[one.name] : one)),
  });
}

const prefixes = new WeakMap<PoolClient, string>();
/** Behind a pooler, processes share sessions, and a process ID is 1 in every container. */
const PROCESS = randomBytes(6).toString('hex');
let sessions = 0;
let areNamesKept = true;

/** On PGlite, connections share one session, so each uses its own names. */
function renew(session: PoolClient): string {
  const prefix = `${PROCESS}_${++sessions}_`;
  prefixes.set(session, prefix);
  return prefix;
}

/** The database does not have the prepared statement, or has it with other columns; nothing was executed. */
const STALE_STATEMENT = new Set(['26000', '42P05', '0A000']);

const isStale = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && STALE_STATEMENT.has(error.code ?? '');

const sendUnnamed = (session: PoolClient, executions: Execution[]) =>
  Promise.all(executions.map(({ text, values }) => session.query({ text, values })));

async function send(session: PoolClient, executions: Execution[]): Promise<QueryResult[]> {
  if (!areNamesKept) return sendUnnamed(session, executions);
  const prefix = prefixes.get(session) ?? renew(session);
  const settled = await Promise.allSettled(
    executions.map(({ name, text, values }) => session.query({ name: prefix + name, text, values })),
  );
  const done = settled.map((one) => (one.status === 'fulfilled' ? one.value : null));
  const failed = settled.findIndex(({ status }) => status === 'rejected');
  const [problem] = settled.slice(failed).flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (failed >= 0 && !isStale(problem)) throw problem;
  if (isStale(problem)) {
    renew(session);
    // A pooler in transaction mode uses a different session for each statement, so names are useless.
    if (problem.code !== '0A000') areNamesKept = false;
    done.splice(failed, done.length, ...(await sendUnnamed(session, executions.slice(failed))));
  }
  return done.filter((result) => result !== null);
}

function failWithoutRow(): never {
  throw new Error('A statement that always returns a row has returned none.');
}

/**
 * Calls from browsers have connections of their own: those of one program are counted one after the other, and however many wait
 * for that, sales, leads of servers and the app's own requests do not.
 */
const pools = { browser: () => openDatabase('browser', { maxConnections: 4 }).pool, server: databasePool };

/**
 * Runs statements in one round trip; each is committed before the next one starts. All but the first have to be reads, because they
 * may be repeated.
 * @returns the first row of each, which all of them have
 */
export async function run<Rows extends object[]>(
  caller: Caller['credentials']['mode'],
  ...executions: Execution[]
): Promise<Rows> {
  const session = await pools[caller]().connect();
  try {
    const results = await send(session, executions);
    session.release();
    return results.map(({ rows: [row] }) => row ?? failWithoutRow()) as Rows;
  } catch (error) {
    session.release(true); // not used again: a connection that was opened during a failover may stay read-only
    throw error;
  }
}
