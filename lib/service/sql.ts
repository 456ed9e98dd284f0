import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import type { FeedKind } from './events/kinds';
import { createId } from './ids';
import { countCalls } from './rate-limit';

// Parts of the statements that record something. Each is a common table expression, so that a record, its feed entry and its share
// of the totals are one statement: one round trip, all or nothing.

const { sql, empty } = Prisma;
type Sql = Prisma.Sql;

/** Who calls, as SQL: `subject` is the hash of an API key for a server, and the ID of a program for a browser. */
type CallerSql = { subject: Sql; now: Sql } & ({ mode: 'server' } | { mode: 'browser'; address: Sql });

/**
 * `program`: the API key's program (server), or the named one (browser). `calls`: whether this caller made
 * too many requests in the current minute (docs/decisions/0008).
 */
export function programAndCalls(caller: CallerSql): Sql {
  const { subject, now } = caller;
  const isServer = caller.mode === 'server';
  const program = isServer
    ? sql`SELECT p.*, k.id AS api_key_id, k.hash AS api_key_hash
          FROM service_api_keys k JOIN service_programs p ON p.id = k.program_id
          WHERE k.hash = ${subject} AND k.access <> 'dashboard' AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > ${now})`
    : sql`SELECT p.*, NULL AS api_key_id, NULL AS api_key_hash FROM service_programs p WHERE p.id = ${subject}`;
  const bucket = isServer ? sql`program.api_key_id` : sql`program.id || ' ' || ${caller.address}`;
  const allowed = isServer ? sql`server_requests_per_minute` : sql`browser_requests_per_minute`;
  const ceiling = isServer ? null : sql`browser_ceiling_per_minute`;
  return sql`program AS (${program}), ${countCalls({ bucket, allowed, ceiling, now })}`;
}

type FeedEntry = {
  /** A value, or a column of the row the entry is made from. */
  kind: FeedKind | Sql;
  now: Date | Sql;
  /** When it happened, if the source says so. */
  occurredAt?: Date;
  /** For a prepared statement; by default a new ID. */
  id?: Sql;
  /** Columns of the row the entry is made from, or values. */
  test?: Sql;
  clickId?: Sql;
  partnerCode?: Sql;
  customerKey?: Sql;
  transactionId?: Sql;
  amountCents?: Sql;
  currency?: Sql;
  reason?: Sql;
};

/** Inserts a feed entry for the row of `from`, if there is one. */
export function addToFeed(from: Sql, programId: Sql, entry: FeedEntry): Sql {
  const none = sql`NULL`;
  const id = entry.id ?? sql`${createId('evt')}`;
  return sql`
    INSERT INTO service_events (id, program_id, kind, test, click_id, partner_code, customer_key,
      transaction_id, amount_cents, currency, reason, occurred_at, created_at)
    SELECT ${id}, ${programId}, ${entry.kind}, ${entry.test ?? sql`false`},
      ${entry.clickId ?? none}, ${entry.partnerCode ?? none}, ${entry.customerKey ?? none}, ${entry.transactionId ?? none},
      ${entry.amountCents ?? none}, ${entry.currency ?? none}, ${entry.reason ?? none},
      ${entry.occurredAt ?? null}::timestamptz, ${entry.now}::timestamptz
    ${from}`;
}

const COUNTERS = [
  'clicks',
  'provisional',
  'provisional_settled',
  'leads',
  'sales',
  'renewals',
  'refunds',
  'unattributed',
] as const;

/** Identifies a row of the totals: that of the day (UTC) on which something happened. */
type Totals = { programId: Sql; partnerCode: Sql } & ({ now: Sql } | { now: Date; occurredAt: Date });

const totalsKey = ({ programId, partnerCode, ...times }: Totals): Sql => {
  const occurredAt = 'occurredAt' in times ? times.occurredAt : times.now;
  return sql`${programId}, (${occurredAt}::timestamptz AT TIME ZONE 'UTC')::date, coalesce(${partnerCode}, '')`;
};

/** The day of a time, in UTC. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * The last day whose totals no longer change, by the database's clock: a host whose clock is ahead must not sum up an unfinished day.
 * @see lastClosedDay for the same by the host's clock
 */
export const CLOSED_BY_DATABASE = sql`((now() - interval '1 hour') AT TIME ZONE 'UTC')::date - 1`;

/** What is recorded on a later day has separate rows, because the sums of a past day are computed once. */
const tableOf = (kind: 'counts' | 'amounts', totals: Totals): Sql => {
  const isLate = 'occurredAt' in totals && dayOf(totals.occurredAt) !== dayOf(totals.now);
  return Prisma.raw(`service_${isLate ? 'late' : 'daily'}_${kind}`);
};

/**
 * Adds to the totals of the day. Only once per statement: two would not see each other's row.
 * @param counts how much to add, by counter
 * @param from returns one row, or none if nothing was recorded
 */
export function addToDailyCounts(
  totals: Totals,
  counts: Partial<Record<(typeof COUNTERS)[number], Sql>>,
  from: Sql = empty,
): Sql {
  const names = COUNTERS.filter((name) => counts[name]);
  const columns = Prisma.join(names.map((name) => Prisma.raw(name)));
  const values = Prisma.join(names.map((name) => counts[name] ?? sql`0`));
  const sums = Prisma.join(names.map((name) => Prisma.raw(`${name} = d.${name} + excluded.${name}`)));
  return sql`
    INSERT INTO ${tableOf('counts', totals)} AS d (program_id, day, partner_code, ${columns})
    SELECT ${totalsKey(totals)}, ${values} ${from}
    ON CONFLICT (program_id, day, partner_code) DO UPDATE SET ${sums}`;
}

/** Adds money to the totals of the day, in its own currency. */
export function addToDailyAmounts(
  column: 'sales_cents' | 'refunded_cents',
  row: Totals & { currency: Sql; amountCents: Sql },
  from: Sql,
): Sql {
  const name = Prisma.raw(column);
  return sql`
    INSERT INTO ${tableOf('amounts', row)} AS d (program_id, day, partner_code, currency, ${name})
    SELECT ${totalsKey(row)}, ${row.currency}, ${row.amountCents} ${from}
    ON CONFLICT (program_id, day, partner_code, currency) DO UPDATE SET ${name} = d.${name} + excluded.${name}`;
}
