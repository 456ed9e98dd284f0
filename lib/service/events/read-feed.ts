import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { reportingDatabase } from '../reporting-database';
import type { EventReason } from '../response-schemas';
import { type Position, toPage } from './cursor';
import { FEED_KINDS, type FeedKind } from './kinds';

/** `recorded`: an event that arrives late is among the newest. `occurred`: it is sorted by when it happened. */
type FeedOrder = 'recorded' | 'occurred';

type FeedFilter = {
  /** What the list is sorted by, and which times `from`, `until` and `before` refer to. */
  order: FeedOrder;
  kinds?: readonly FeedKind[] | undefined;
  test?: boolean | undefined;
  partnerCode?: string | undefined;
  customerKey?: string | undefined;
  /** With `customerKey`: clicks whose events without a customer belong to this customer too. */
  customerClickIds?: readonly string[] | undefined;
  clickId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  /** Where the previous page ended. */
  before?: Position | undefined;
};

export type FeedRow = {
  id: string;
  kind: FeedKind;
  test: boolean;
  clickId: string | null;
  partnerCode: string | null;
  customerKey: string | null;
  /** The customer's settled lead. */
  leadId: string | null;
  /** When the lead's click was made, if the customer was unknown to a payment: one before it counts for no partner. */
  leadClickedAt: Date | null;
  /** The lead's email address; null if none was sent, or it was erased. */
  email: string | null;
  transactionId: string | null;
  amountCents: bigint | null;
  currency: string | null;
  reason: EventReason | null;
  /** When it happened or, if the source does not say, when it was recorded. */
  occurredAt: Date;
  createdAt: Date;
};

type Sql = Prisma.Sql;
const { sql, join } = Prisma;

/** The expressions that the indexes end with. */
const TIMES = { recorded: sql`created_at`, occurred: sql`coalesce(occurred_at, created_at)` } satisfies Record<
  FeedOrder,
  Sql
>;

/**
 * A page of a program's feed, newest first in its order. Keyset pagination: each page starts where the previous one ended, and
 * reads at most one page per kind and mode from an index, whatever the filter: see `newestOf`.
 */
export async function readFeed(
  programId: string,
  filter: FeedFilter,
  limit: number,
): Promise<{ rows: FeedRow[]; nextCursor: string | null }> {
  const page = join(
    scopesOf(filter).map((scope) => newestOf(programId, filter, scope, limit + 1)),
    ' UNION ALL ',
  );
  const rows = await reportingDatabase().$queryRaw<FeedRow[]>`
    WITH page AS MATERIALIZED (
      SELECT id, time FROM (${page}) AS newest ORDER BY time DESC, id DESC LIMIT ${limit + 1}
    )
    SELECT e.id, e.kind, e.test, e.click_id AS "clickId", e.partner_code AS "partnerCode",
      e.customer_key AS "customerKey", l.id AS "leadId", l.email, e.transaction_id AS "transactionId",
      e.amount_cents AS "amountCents", e.currency, e.reason,
      (SELECT created_at FROM service_clicks
        WHERE id = l.click_id AND e.reason IN ('unknown_customer', 'unknown_click')) AS "leadClickedAt",
      ${TIMES.occurred} AS "occurredAt", e.created_at AS "createdAt"
    FROM page
      CROSS JOIN LATERAL (SELECT * FROM service_events WHERE id = page.id LIMIT 1) AS e
      LEFT JOIN LATERAL (
        SELECT id, email, click_id FROM service_leads
        WHERE program_id = e.program_id AND test = e.test AND customer_key = e.customer_key LIMIT 1
      ) AS l ON true
    ORDER BY page.time DESC, page.id DESC`;
  const timeOf = filter.order === 'recorded' ? 'createdAt' : 'occurredAt';
  return toPage(rows, limit, (row) => ({ time: row[timeOf], id: row.id }));
}

/** The parts of the feed that a filter selects, each served by an index. */
function scopesOf({ customerKey, customerClickIds = [], clickId }: FeedFilter): Sql[] {
  const unnamed = (click: string) => sql`click_id = ${click} AND customer_key IS NULL`;
  if (customerKey !== undefined) return [sql`customer_key = ${customerKey}`, ...customerClickIds.map(unnamed)];
  if (clickId !== undefined) return [unnamed(clickId), sql`click_id = ${clickId} AND customer_key IS NOT NULL`];
  return [sql`true`];
}

/**
 * The newest entries of a scope. Its index is ordered by time only within one kind and mode, so each pair is read separately and
 * the results are merged: a rare kind costs as little as a frequent one, and only the page is sorted.
 */
function newestOf(programId: string, filter: FeedFilter, scope: Sql, limit: number): Sql {
  const { kinds, test, partnerCode, customerKey, clickId, from, until, before } = filter;
  const time = TIMES[filter.order];
  const isWholeFeed = [kinds, test, partnerCode, customerKey, clickId].every((part) => part === undefined);
  const conditions = [
    sql`program_id = ${programId} AND ${scope}`,
    customerKey !== undefined && clickId !== undefined && sql`click_id = ${clickId}`,
    partnerCode !== undefined && sql`partner_code = ${partnerCode}`,
    !isWholeFeed && sql`kind = pair.kind AND test = pair.test`,
    from && sql`${time} >= ${from}`,
    until && sql`${time} < ${until}`,
    before && sql`(${time}, id) < (${before.time}, ${before.id})`,
  ].filter((condition) => condition instanceof Prisma.Sql);
  const newest = sql`
    (SELECT id, ${time} AS time FROM service_events
    WHERE ${join(conditions, ' AND ')}
    ORDER BY ${time} DESC, id DESC LIMIT ${limit})`;
  if (isWholeFeed) return newest;
  const tests = test === undefined ? [false, true] : [test];
  return sql`
    SELECT entry.id, entry.time
    FROM (SELECT kind, test FROM unnest(${[...(kinds ?? FEED_KINDS)]}::text[]) AS kind, unnest(${tests}::boolean[]) AS test) AS pair
      CROSS JOIN LATERAL ${newest} AS entry`;
}
