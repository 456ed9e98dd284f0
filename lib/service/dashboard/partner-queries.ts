import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { reportingDatabase } from '../reporting-database.ts';
import type { DateRange } from './date-range.ts';
import type { Revenue } from './overview-queries.ts';

export type PartnerSummary = {
  code: string;
  name: string;
  isActive: boolean;
  clicks: number;
  leads: number;
  /** First payments and one-time purchases. */
  customers: number;
  renewals: number;
  revenue: Revenue[];
};

export type PartnerPage = { partners: PartnerSummary[]; nextCursor: string | null };

const PAGE_SIZE = 50;
/** More partners than a list to choose from can hold. */
const CHOICES = 200;

/** The partner codes of a program, for choosing one; null where there are too many. */
export async function listPartnerCodes(programId: string): Promise<string[] | null> {
  const rows = await reportingDatabase().partner.findMany({
    where: { programId },
    select: { code: true },
    orderBy: { code: 'asc' },
    take: CHOICES + 1,
  });
  return rows.length > CHOICES ? null : rows.map(({ code }) => code);
}

type Row = Omit<PartnerSummary, 'revenue'> & { revenue: Revenue[] | null };

/**
 * A page of a program's partners by code, with their totals in a range of days; test events are not in them. It reads a
 * row for each partner of the page and each day on which something happened, however many events there were.
 * @param after the code that the page before ended with
 */
export async function listPartners(
  programId: string,
  { from, to }: Pick<DateRange, 'from' | 'to'>,
  after?: string,
): Promise<PartnerPage> {
  const { sql, empty } = Prisma;
  const rows = await reportingDatabase().$queryRaw<Row[]>`
    SELECT p.code, p.name, p.active AS "isActive", counts.*, amounts.*
    FROM (
      SELECT * FROM service_partners
      WHERE program_id = ${programId} ${after === undefined ? empty : sql`AND code > ${after}`}
      ORDER BY code LIMIT ${PAGE_SIZE + 1}
    ) AS p
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(clicks), 0)::int AS clicks, coalesce(sum(leads), 0)::int AS leads,
        coalesce(sum(sales - renewals), 0)::int AS customers, coalesce(sum(renewals), 0)::int AS renewals
      FROM service_daily_counts
      WHERE program_id = p.program_id AND partner_code = p.code AND day BETWEEN ${from}::date AND ${to}::date
    ) AS counts
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('currency', currency, 'sold', sold, 'refunded', refunded) ORDER BY currency)
        AS revenue
      FROM (
        SELECT currency, sum(sales_cents) AS sold, sum(refunded_cents) AS refunded
        FROM service_daily_amounts
        WHERE program_id = p.program_id AND partner_code = p.code AND day BETWEEN ${from}::date AND ${to}::date
        GROUP BY currency
      ) AS by_currency
    ) AS amounts
    ORDER BY p.code`;
  const partners = rows.slice(0, PAGE_SIZE).map((row) => ({ ...row, revenue: row.revenue ?? [] }));
  return { partners, nextCursor: rows.length > PAGE_SIZE ? (partners.at(-1)?.code ?? null) : null };
}
