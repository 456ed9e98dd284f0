import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { isStorableText } from '../clean-input';
import { reportingDatabase } from '../reporting-database';
import { CLOSED_BY_DATABASE } from '../sql';
import { type DateRange, endsOf, formatDay, lastClosedDay } from './date-range';
import { newRunningTotals, type Revenue, type StoredTotals, totalsOf } from './partner-totals';
import { rowsThatBegin } from './search';

export type PartnerSummary = {
  code: string;
  name: string;
  isActive: boolean;
  clicks: number;
  leads: number;
  /** Sales that are not renewals. */
  newSales: number;
  renewals: number;
  revenue: Revenue[];
};

/** `isPartial`: a search found more than fits on the page. */
export type PartnerPage = { partners: PartnerSummary[]; nextCursor: string | null; isPartial: boolean };

const { sql, empty } = Prisma;
const PAGE_SIZE = 50;
/** The most partners that a select shows. */
const CHOICES = 200;

/** The partner codes of a program, for choosing one; null if there are too many. */
export async function listPartnerCodes(programId: string): Promise<string[] | null> {
  const rows = await reportingDatabase().partner.findMany({
    where: { programId },
    select: { code: true },
    orderBy: { code: 'asc' },
    take: CHOICES + 1,
  });
  return rows.length > CHOICES ? null : rows.map(({ code }) => code);
}

type Row = Pick<PartnerSummary, 'code' | 'name' | 'isActive'> & StoredTotals;

/** `after` is the last code of the previous page. */
type PartnerFilter = { search?: string; after?: string | undefined };

/**
 * A page of a program's partners by code: all of them, or those whose code or name begins with `search` (case-insensitive), which is
 * one page. Each has its totals in a range of days, without test events. It reads a few rows per partner, however long the
 * range is and however many events there are.
 */
export async function listPartners(
  programId: string,
  range: Pick<DateRange, 'from' | 'to'>,
  now: Date,
  { search = '', after }: PartnerFilter = {},
): Promise<PartnerPage> {
  if (search && !isStorableText(search)) return { partners: [], nextCursor: null, isPartial: false };
  const { from, to } = endsOf(range);
  const rows = await readPage(
    programId,
    from,
    to,
    search ? partnersThatBegin(programId, search) : partnersAfter(after),
  );
  await storeRunningTotals(programId, rows, formatDay(lastClosedDay(now)));
  const partners = rows.slice(0, PAGE_SIZE).map((row) => {
    const { clicks, leads, sales, renewals, revenue } = totalsOf(row, from, to);
    const { code, name, isActive } = row;
    return { code, name, isActive, clicks, leads, newSales: sales - renewals, renewals, revenue };
  });
  const last = rows.length > PAGE_SIZE ? (partners.at(-1)?.code ?? null) : null;
  return { partners, nextCursor: search ? null : last, isPartial: last !== null && search !== '' };
}

const partnersAfter = (code: string | undefined) => (code === undefined ? sql`true` : sql`code > ${code}`);

/** One index each: a single condition with OR would read every partner. */
function partnersThatBegin(programId: string, prefix: string): Prisma.Sql {
  const found = (column: Prisma.Sql) =>
    rowsThatBegin({
      ...{ table: sql`service_partners`, column, ignoresCase: true },
      ...{ programId, prefix, limit: PAGE_SIZE + 1 },
    });
  return sql`id IN (SELECT id FROM (${found(sql`code`)} UNION ALL ${found(sql`name`)}) AS found)`;
}

/** @param shown a condition that the page's partners meet */
function readPage(programId: string, from: string, to: string, shown: Prisma.Sql) {
  const totals = (condition: Prisma.Sql) => sql`
    LEFT JOIN LATERAL (
      SELECT day, jsonb_build_object('day', day, 'clicks', clicks, 'leads', leads, 'sales', sales, 'renewals', renewals,
        'revenue', revenue) AS row
      FROM service_partner_totals WHERE program_id = p.program_id AND partner_code = p.code ${condition}
      ORDER BY day DESC LIMIT 1
    )`;
  const isOpen = sql`program_id = p.program_id AND partner_code = p.code AND day > coalesce(latest.day, '-infinity')`;
  const isLate = sql`
    program_id = ${programId} AND partner_code IN (SELECT code FROM page) AND day BETWEEN ${from}::date AND ${to}::date`;
  const counts = sql`jsonb_agg(jsonb_build_object(
    'day', day, 'clicks', clicks, 'leads', leads, 'sales', sales, 'renewals', renewals)) AS days`;
  const amounts = sql`jsonb_agg(jsonb_build_object(
    'day', day, 'currency', currency, 'sold', sales_cents, 'refunded', refunded_cents)) AS days`;
  return reportingDatabase().$queryRaw<Row[]>`
    WITH page AS MATERIALIZED (
      SELECT * FROM service_partners
      WHERE program_id = ${programId} AND ${shown}
      ORDER BY code LIMIT ${PAGE_SIZE + 1}
    ),
    late_counts AS (
      SELECT partner_code, jsonb_build_object('leads', sum(leads), 'sales', sum(sales), 'renewals', sum(renewals)) AS sums
      FROM service_late_counts WHERE ${isLate} GROUP BY partner_code
    ),
    late_amounts AS (
      SELECT partner_code, jsonb_agg(of_currency) AS sums
      FROM (
        SELECT partner_code, currency, sum(sales_cents) AS sold, sum(refunded_cents) AS refunded
        FROM service_late_amounts WHERE ${isLate} GROUP BY partner_code, currency
      ) AS of_currency
      GROUP BY partner_code
    )
    SELECT p.code, p.name, p.active AS "isActive", latest.row AS latest, earlier.row AS before, ending.row AS "atEnd",
      open_counts.days AS counts, open_amounts.days AS amounts,
      late_counts.sums AS "lateCounts", late_amounts.sums AS "lateAmounts"
    FROM page AS p
    ${totals(empty)} AS latest ON true
    ${totals(sql`AND day < ${from}::date`)} AS earlier ON true
    ${totals(sql`AND day <= ${to}::date`)} AS ending ON true
    CROSS JOIN LATERAL (SELECT ${counts} FROM service_daily_counts WHERE ${isOpen}) AS open_counts
    CROSS JOIN LATERAL (SELECT ${amounts} FROM service_daily_amounts WHERE ${isOpen}) AS open_amounts
    LEFT JOIN late_counts ON late_counts.partner_code = p.code
    LEFT JOIN late_amounts ON late_amounts.partner_code = p.code
    ORDER BY p.code`;
}

/** Two concurrent readers write the same rows, and the first one wins. */
async function storeRunningTotals(programId: string, rows: Row[], lastClosed: string): Promise<void> {
  const totals = rows.flatMap((row) =>
    newRunningTotals(row, lastClosed).map((total) => ({ ...total, partner_code: row.code })),
  );
  if (totals.length === 0) return;
  await reportingDatabase().$executeRaw`
    INSERT INTO service_partner_totals (program_id, partner_code, day, clicks, leads, sales, renewals, revenue)
    SELECT ${programId}, partner_code, day, clicks, leads, sales, renewals, revenue
    FROM jsonb_to_recordset(${JSON.stringify(totals)}::jsonb)
      AS t (partner_code text, day date, clicks bigint, leads bigint, sales bigint, renewals bigint, revenue jsonb)
    WHERE day <= ${CLOSED_BY_DATABASE}
    ON CONFLICT DO NOTHING`;
}
