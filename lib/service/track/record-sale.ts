import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { refuse } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import type { Caller } from '../http/caller.ts';
import { createId } from '../ids.ts';
import { alignReportedSale } from '../payments/align-sales.ts';
import type { SaleBody } from '../schemas.ts';
import { addToDailyAmounts, addToDailyCounts, addToFeed, programAndCalls } from '../sql.ts';
import { type CallerRow, checkCaller } from './check-caller.ts';

type Row = CallerRow & { lead_id: string | null; partner_id: string | null; sale_id: string | null };

/** §4, path B: a finalized sale of a known customer. It never settles a lead (§3). */
export async function recordSale(body: SaleBody, caller: Caller): Promise<Answer> {
  if (caller.credentials.mode === 'browser') return refuse('missing_api_key'); // §1: from the server only
  const saleId = createId('sal');
  const test = body.additional_data?.test_mode === true;
  const row = await insertSale(body, caller, { saleId, test });
  const refusal = checkCaller(caller, row);
  if (refusal) return refusal;
  const named = body.additional_data?.program_id;
  if (named && named !== row.program_id) return refuse('program_mismatch');
  if (!row.lead_id) return refuse('unknown_customer');
  // Also for a sale that is there already: a crash may have come between recording it and this.
  const stands = test || (await alignReportedSale(row.program_id ?? '', body.transaction_id, caller.now));
  if (!row.sale_id || !stands) return refuse('duplicate_transaction'); // §7: 409, decided by the unique index
  const attributed = row.partner_id !== null;
  return {
    ok: true,
    body: { success: true, sale_id: saleId, attributed, ...(!attributed && { reason: 'no_partner' }) },
  };
}

async function insertSale(body: SaleBody, caller: Caller, { saleId, test }: { saleId: string; test: boolean }) {
  const { sql } = Prisma;
  const { now } = caller;
  const named = body.additional_data?.program_id ?? null;
  const recorded = sql`FROM sale LEFT JOIN service_partners a ON a.id = sale.partner_id`;
  const counted = sql`${recorded} WHERE NOT sale.test`;
  const columns = { programId: sql`sale.program_id`, partnerCode: sql`a.code`, now };
  const [row] = await database().$queryRaw<Row[]>`
    WITH ${programAndCalls(caller, null)},
    lead AS (
      SELECT l.* FROM service_leads l JOIN program p ON p.id = l.program_id
      WHERE l.test = ${test} AND l.customer_key = ${body.customer_key}
    ),
    sale AS (
      INSERT INTO service_sales (id, program_id, test, transaction_id, customer_key, click_id, partner_id, amount_cents,
        currency, subscription_id, is_recurring, source, payment_account_id, payment_mode, occurred_at, created_at)
      SELECT ${saleId}, l.program_id, l.test, ${body.transaction_id}, l.customer_key, l.click_id, l.partner_id,
        ${body.amount_cents}, ${body.currency}, ${body.subscription_id}, ${body.is_recurring ?? false}, 'api',
        p.payment_account_id, p.payment_mode, ${now}, ${now}
      FROM lead l JOIN program p ON p.id = l.program_id, calls c WHERE NOT c.too_many AND l.program_id = coalesce(${named}, l.program_id)
      ON CONFLICT (program_id, test, transaction_id) DO NOTHING
      RETURNING *
    ),
    feed AS (${addToFeed(recorded, sql`sale.program_id`, {
      kind: sql`CASE WHEN sale.is_recurring THEN 'renewal' ELSE 'sale' END`,
      now,
      test: sql`sale.test`,
      clickId: sql`sale.click_id`,
      partnerCode: sql`a.code`,
      customerKey: sql`sale.customer_key`,
      transactionId: sql`sale.transaction_id`,
      amountCents: sql`sale.amount_cents`,
      currency: sql`sale.currency`,
    })}),
    daily AS (${addToDailyCounts(columns, { sales: sql`1` }, counted)}),
    amounts AS (${addToDailyAmounts('sales_cents', { ...columns, currency: sql`sale.currency`, amountCents: sql`sale.amount_cents` }, counted)})
    SELECT p.id AS program_id, p.api_key_hash, c.too_many, l.id AS lead_id, l.partner_id, s.id AS sale_id
    FROM (SELECT 1) AS one LEFT JOIN program p ON true LEFT JOIN calls c ON true LEFT JOIN lead l ON true
      LEFT JOIN sale s ON true`;
  if (!row) throw new Error('The sale statement always yields a row.');
  return row;
}
