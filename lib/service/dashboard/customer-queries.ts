import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { reportingDatabase } from '../reporting-database.ts';
import { type Cursor, writeCursor } from './cursor.ts';
import type { Amount } from './overview-queries.ts';

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

type Row = Omit<Customer, 'sales' | 'amounts'> & { sales: bigint; amounts: Amount[] | null };

const PAGE_SIZE = 50;
const { sql } = Prisma;

/**
 * The customers of a program, that is its settled leads, with what they paid less refunds; newest first.
 * @param search an ID or an email address, exactly
 */
export async function listCustomers(
  programId: string,
  { search, cursor }: { search?: string | undefined; cursor?: Cursor | undefined },
): Promise<{ customers: Customer[]; nextCursor: string | null }> {
  // An index each: one condition with OR would read every lead.
  const found = search
    ? sql`${newestLeads(programId, sql`customer_key = ${search} AND test IN (false, true)`, cursor)}
        UNION ${newestLeads(programId, sql`email = ${search}`, cursor)}`
    : newestLeads(programId, sql`true`, cursor);
  const rows = await reportingDatabase().$queryRaw<Row[]>`
    WITH page AS MATERIALIZED (
      SELECT id FROM (${found}) AS newest ORDER BY created_at DESC, id DESC LIMIT ${PAGE_SIZE + 1}
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
    ORDER BY l.created_at DESC, l.id DESC`;
  const customers = rows
    .slice(0, PAGE_SIZE)
    .map((row) => ({ ...row, sales: Number(row.sales), amounts: row.amounts ?? [] }));
  const last = customers.at(-1);
  const next = rows.length > PAGE_SIZE && last ? writeCursor({ createdAt: last.settledAt, id: last.leadId }) : null;
  return { customers, nextCursor: next };
}

const newestLeads = (programId: string, where: Prisma.Sql, cursor: Cursor | undefined) => sql`
  (SELECT id, created_at FROM service_leads
  WHERE program_id = ${programId} AND ${where}
    ${cursor ? sql`AND (created_at, id) < (${cursor.createdAt}, ${cursor.id})` : Prisma.empty}
  ORDER BY created_at DESC, id DESC LIMIT ${PAGE_SIZE + 1})`;
