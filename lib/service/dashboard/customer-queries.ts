import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { isStorableText } from '../clean-input';
import { type Position, toPage } from '../events/cursor';
import { reportingDatabase } from '../reporting-database';
import { rowsThatBegin } from './search';

export type Customer = {
  leadId: string;
  customerKey: string;
  email: string | null;
  partnerCode: string | null;
  isTest: boolean;
  settledAt: Date;
  sales: number;
  amounts: Amount[];
};

/** `isPartial`: a search found more than fits on the page. */
export type CustomerPage = { customers: Customer[]; nextCursor: string | null; isPartial: boolean };

type Amount = { amount: number; currency: string };

type Row = Omit<Customer, 'sales' | 'amounts'> & { sales: bigint; amounts: Amount[] | null };

const PAGE_SIZE = 50;
const { sql } = Prisma;

/**
 * The customers of a program, that is its settled leads, with what they paid less refunds: the newest first, or those
 * whose ID (case-sensitive) or email address (case-insensitive) begins with `search`, by that text. A search has one page.
 */
export async function listCustomers(
  programId: string,
  { search = '', cursor }: { search?: string; cursor?: Position | undefined },
): Promise<CustomerPage> {
  if (search && !isStorableText(search)) return { customers: [], nextCursor: null, isPartial: false };
  const leadsThatBegin = (column: Prisma.Sql, ignoresCase: boolean) =>
    rowsThatBegin({
      ...{ table: sql`service_leads`, column, ignoresCase },
      ...{ programId, prefix: search, limit: PAGE_SIZE + 1 },
    });
  // One index each: a single condition with OR would read every lead.
  const found = search
    ? sql`SELECT id, row_number() OVER (ORDER BY searched USING ~<~, id) AS place FROM (
          ${leadsThatBegin(sql`customer_key`, false)} UNION ALL ${leadsThatBegin(sql`email`, true)}
        ) AS matches`
    : newestLeads(programId, cursor);
  const rows = await reportingDatabase().$queryRaw<Row[]>`
    WITH page AS MATERIALIZED (
      SELECT id, min(place) AS place FROM (${found}) AS found GROUP BY id ORDER BY place LIMIT ${PAGE_SIZE + 1}
    )
    SELECT l.id AS "leadId", l.customer_key AS "customerKey", l.email, p.code AS "partnerCode", l.test AS "isTest",
           l.created_at AS "settledAt", coalesce(s.sales, 0) AS sales, s.amounts
    FROM page
    CROSS JOIN LATERAL (SELECT * FROM service_leads WHERE id = page.id LIMIT 1) l
    LEFT JOIN service_partners p ON p.id = l.partner_id
    LEFT JOIN LATERAL (
      SELECT sum(paid.sales) AS sales,
             jsonb_agg(jsonb_build_object('currency', paid.currency, 'amount', paid.amount) ORDER BY paid.currency) AS amounts
      FROM (SELECT currency, count(*) AS sales, sum(amount_cents - refunded_cents) AS amount
            FROM service_sales
            WHERE program_id = l.program_id AND customer_key = l.customer_key AND test = l.test
            GROUP BY currency) paid
    ) s ON true
    ORDER BY page.place`;
  const page = toPage(rows, PAGE_SIZE, ({ settledAt, leadId }) => ({ time: settledAt, id: leadId }));
  return {
    customers: page.rows.map((row) => ({ ...row, sales: Number(row.sales), amounts: row.amounts ?? [] })),
    nextCursor: search ? null : page.nextCursor,
    isPartial: page.nextCursor !== null && search !== '',
  };
}

const newestLeads = (programId: string, cursor: Position | undefined) => sql`
  (SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place FROM (
    SELECT id, created_at FROM service_leads
    WHERE program_id = ${programId}
      ${cursor ? sql`AND (created_at, id) < (${cursor.time}, ${cursor.id})` : Prisma.empty}
    ORDER BY created_at DESC, id DESC LIMIT ${PAGE_SIZE + 1}) AS newest)`;
