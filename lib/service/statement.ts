import 'server-only';
import { randomBytes } from 'node:crypto';
import { DatabaseError, type PoolClient, type QueryResult } from 'pg';
import { databasePool } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';

// Statements of ingestion, on the connections that Prisma uses but without its client, which costs more than they do.

type Value = string | number | boolean | null | undefined;
type Type = 'text' | 'integer' | 'bigint' | 'boolean' | 'timestamptz';

/** The place of a value in a statement that is written once. */
class Parameter {
  constructor(readonly name: string) {}
}

export type Statement<Values extends Record<string, Value>> = {
  name: string;
  text: string;
  bind: (values: Values) => unknown[];
};

/**
 * Writes a statement once, for any number of executions.
 * @param types of what each execution gives
 * @param write gets a placeholder for each value, and may use it as often as it likes
 */
export function statement<Values extends Record<string, Value>>(
  name: string,
  types: Record<keyof Values & string, Type>,
  write: (places: Record<keyof Values & string, Prisma.Sql>) => Prisma.Sql,
): Statement<Values> {
  const places = Object.entries<Type>(types).map(([value, type]) => [
    value,
    Prisma.sql`${new Parameter(value)}::${Prisma.raw(type)}`,
  ]);
  const { strings, values } = write(Object.fromEntries(places) as Record<keyof Values & string, Prisma.Sql>);
  const order: unknown[] = [];
  const positionOf = (value: unknown) => {
    const isSame = (other: unknown) =>
      value instanceof Parameter && other instanceof Parameter && value.name === other.name;
    const known = order.findIndex(isSame);
    return known < 0 ? order.push(value) : known + 1;
  };
  const text = strings.reduce((sent, part, index) => `${sent}$${positionOf(values[index - 1])}${part}`);
  return { name, text, bind: (given) => order.map((one) => (one instanceof Parameter ? given[one.name] : one)) };
}

/** What `run` sends: the statement with one execution's values. */
type Execution = { name: string; text: string; values: unknown[] };

export function execution<Values extends Record<string, Value>>(of: Statement<Values>, values: Values): Execution {
  return { name: of.name, text: of.text, values: of.bind(values) };
}

const prefixes = new WeakMap<PoolClient, string>();
/** Behind a pooler, processes share sessions, and a process ID is 1 in every container. */
const PROCESS = randomBytes(6).toString('hex');
let sessions = 0;
let areNamesKept = true;

/** Connections share one session on PGlite, so each has names of its own. */
function renew(session: PoolClient): string {
  const prefix = `${PROCESS}_${++sessions}_`;
  prefixes.set(session, prefix);
  return prefix;
}

/** The database does not know the prepared statement, or knows it with other columns; it has executed nothing. */
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
    // A pooler in transaction mode has another session for each statement, where names are of no use.
    if (problem.code !== '0A000') areNamesKept = false;
    done.splice(failed, done.length, ...(await sendUnnamed(session, executions.slice(failed))));
  }
  return done.filter((result) => result !== null);
}

type RowsOf<Rows extends object[]> = { [Index in keyof Rows]: Array<Rows[Index]> };

/**
 * The rows of each execution. They are sent together, in one round trip, and each is committed before the next begins.
 * All but the first are reads: they may be repeated.
 */
export async function run<Rows extends object[]>(...executions: Execution[]): Promise<RowsOf<Rows>> {
  const session = await databasePool().connect();
  try {
    const results = await send(session, executions);
    session.release();
    return results.map(({ rows }) => rows) as RowsOf<Rows>;
  } catch (error) {
    // A statement that failed leaves the connection as it was; anything else may not.
    session.release(!(error instanceof DatabaseError));
    throw error;
  }
}
