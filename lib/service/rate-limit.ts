import 'server-only';
import { Prisma } from '@/prisma/generated/client';

// Calls are counted in the statement that reads the program, so limits hold across processes and cost no extra round trip.

const { sql, empty } = Prisma;
type Sql = Prisma.Sql;

type Limit = {
  /** One per caller. */
  bucket: Sql;
  /** Calls per minute for one caller. */
  allowed: Sql;
  /** Calls per minute for all callers of a program; for anonymous callers, who can change their address. */
  ceiling: Sql | null;
  now: Sql;
};

/**
 * Common table expressions over a `program` of one row: `calls` says whether this caller made `too_many` calls in the
 * current minute, this one included. Past the ceiling, no row is written for a caller, so a minute never has more rows
 * than the ceiling. A caller past its own limit is not counted, or it could use up the ceiling alone.
 * Each call deletes up to three rows of past minutes.
 */
export function countCalls({ bucket, allowed, ceiling, now }: Limit): Sql {
  return sql`
    ${
      ceiling
        ? sql`all_calls AS (
            ${addCall(sql`program.id`, now, sql`FROM program WHERE NOT ${isExhausted(bucket, allowed, now)}`)}
            RETURNING r.requests > (SELECT ${ceiling} FROM program) AS too_many
          ),`
        : empty
    }
    own_calls AS (
      ${addCall(bucket, now, ceiling ? sql`FROM program, all_calls WHERE NOT all_calls.too_many` : sql`FROM program`)}
      RETURNING r.requests > (SELECT ${allowed} FROM program) AS too_many
    ),
    calls AS (SELECT coalesce((SELECT too_many FROM own_calls), true) AS too_many FROM program),
    forgotten AS (
      DELETE FROM service_rate_limits WHERE bucket IN (
        SELECT r.bucket FROM service_rate_limits r, program
        WHERE r.window_start < ${now}::timestamptz - interval '10 minutes' AND r.bucket NOT IN (${bucket}, program.id)
        ORDER BY r.window_start LIMIT 3 FOR UPDATE OF r SKIP LOCKED
      )
    )`;
}

const isExhausted = (bucket: Sql, allowed: Sql, now: Sql): Sql => sql`
  EXISTS (SELECT FROM service_rate_limits own
    WHERE own.bucket = ${bucket} AND own.requests >= ${allowed} AND ${isCurrent(sql`own.window_start`, minuteOf(now))})`;

const addCall = (bucket: Sql, now: Sql, from: Sql): Sql => sql`
  INSERT INTO service_rate_limits AS r (bucket, window_start, requests)
  SELECT ${bucket}, ${minuteOf(now)}, 1 ${from}
  ON CONFLICT (bucket) DO UPDATE SET
    requests = CASE WHEN ${CONTINUES} THEN r.requests + 1 ELSE 1 END,
    window_start = CASE WHEN ${CONTINUES} THEN r.window_start ELSE excluded.window_start END`;

const minuteOf = (now: Sql): Sql => sql`date_trunc('minute', ${now}::timestamptz)`;

// Hosts' clocks differ: a host that is behind counts in the minute that another one has started. A minute far in the future was
// started by a wrong clock, and is replaced.
const isCurrent = (begun: Sql, minute: Sql): Sql =>
  sql`${begun} BETWEEN ${minute} AND ${minute} + interval '5 minutes'`;
const CONTINUES = isCurrent(sql`r.window_start`, sql`excluded.window_start`);
