import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { refuse } from '../errors';
import type { Caller } from '../http/caller';
import { type CallerRow, checkCaller } from '../http/check-caller';
import type { EndpointResult } from '../http/respond';
import { createId } from '../ids';
import type { SaleBody } from '../schemas';
import { addToDailyAmounts, addToDailyCounts, addToFeed, programAndCalls } from '../sql';
import { run, statement } from '../statement';
import { alignReportedSale } from './align-sales';

type Row = CallerRow & { lead_id: string | null; partner_id: string | null; sale_id: string | null };

/** §4, path B: a finalized sale of a known customer. It never settles a lead (§3). */
export async function recordSale(body: SaleBody, caller: Caller): Promise<EndpointResult> {
  const { credentials, now } = caller;
  if (credentials.mode === 'browser') return refuse('missing_api_key'); // §1: from the server only
  const test = body.additional_data?.test_mode === true;
  const named = body.additional_data?.program_id;
  const { additional_data: _, ...sale } = body;
  const [row, facts] = await run<[Row, { are_known: boolean }]>(
    'server',
    insertSale({
      ...sale,
      is_recurring: sale.is_recurring ?? false,
      test,
      named_program_id: named,
      key_hash: credentials.keyHash,
      sale_id: createId('sal'),
      event_id: createId('evt'),
      now: now.toISOString(),
    }),
    // After the sale is committed, so that either this or a concurrent payment event finds the other.
    findFacts({ transaction_id: body.transaction_id }),
  );
  const checked = checkCaller(caller, row);
  if (!checked.ok) return checked;
  if (named && named !== checked.programId) return refuse('program_mismatch');
  if (!row.lead_id) return refuse('unknown_customer');
  // Also for a repeat: the first process may have died between the sale and its refunds.
  const stands = test || !facts.are_known || (await alignReportedSale(checked.programId, body.transaction_id, now));
  if (!row.sale_id || !stands) return refuse('duplicate_transaction'); // §7: 409, decided by the unique index
  const attributed = row.partner_id !== null;
  return {
    ok: true,
    body: { success: true, sale_id: row.sale_id, attributed, ...(!attributed && { reason: 'no_partner' }) },
  };
}

const { sql } = Prisma;

const recorded = sql`FROM sale LEFT JOIN service_partners a ON a.id = sale.partner_id`;
const counted = sql`${recorded} WHERE NOT sale.test`;

const insertSale = statement(
  'sale',
  {
    key_hash: 'text',
    named_program_id: 'text?',
    test: 'boolean',
    customer_key: 'text',
    transaction_id: 'text',
    amount_cents: 'bigint',
    currency: 'text',
    subscription_id: 'text?',
    is_recurring: 'boolean',
    sale_id: 'text',
    event_id: 'text',
    now: 'timestamptz',
  },
  (given) => {
    const totals = { programId: sql`sale.program_id`, partnerCode: sql`a.code`, now: given.now };
    return sql`
      WITH ${programAndCalls({ mode: 'server', subject: given.key_hash, now: given.now })},
      lead AS (
        SELECT l.* FROM service_leads l JOIN program p ON p.id = l.program_id
        WHERE l.test = ${given.test} AND l.customer_key = ${given.customer_key}
      ),
      sale AS (
        INSERT INTO service_sales (id, program_id, test, transaction_id, customer_key, click_id, partner_id,
          amount_cents, currency, subscription_id, is_recurring, source, payment_account_id, payment_mode, occurred_at,
          created_at)
        SELECT ${given.sale_id}, l.program_id, l.test, ${given.transaction_id}, l.customer_key, l.click_id, l.partner_id,
          ${given.amount_cents}, ${given.currency}, ${given.subscription_id}, ${given.is_recurring}, 'api',
          p.payment_account_id, p.payment_mode, ${given.now}, ${given.now}
        FROM lead l JOIN program p ON p.id = l.program_id, calls c
        WHERE NOT c.too_many AND l.program_id = coalesce(${given.named_program_id}, l.program_id)
        ON CONFLICT (program_id, test, transaction_id) DO NOTHING
        RETURNING *
      ),
      feed AS (${addToFeed(recorded, sql`sale.program_id`, {
        kind: sql`CASE WHEN sale.is_recurring THEN 'renewal' ELSE 'sale' END`,
        id: given.event_id,
        now: given.now,
        test: sql`sale.test`,
        clickId: sql`sale.click_id`,
        partnerCode: sql`a.code`,
        customerKey: sql`sale.customer_key`,
        transactionId: sql`sale.transaction_id`,
        amountCents: sql`sale.amount_cents`,
        currency: sql`sale.currency`,
      })}),
      daily AS (${addToDailyCounts(totals, { sales: sql`1`, renewals: sql`sale.is_recurring::int` }, counted)}),
      amounts AS (${addToDailyAmounts(
        'sales_cents',
        { ...totals, currency: sql`sale.currency`, amountCents: sql`sale.amount_cents` },
        counted,
      )})
      SELECT p.id AS program_id, p.api_key_hash, c.too_many, l.id AS lead_id, l.partner_id, s.id AS sale_id
      FROM (SELECT 1) AS one LEFT JOIN program p ON true LEFT JOIN calls c ON true LEFT JOIN lead l ON true
        LEFT JOIN sale s ON true`;
  },
);

const findFacts = statement(
  'facts',
  { transaction_id: 'text' },
  ({ transaction_id }) => sql`
    SELECT EXISTS (SELECT FROM service_payment_facts WHERE payment_intent_id = ${transaction_id})
      OR EXISTS (SELECT FROM service_payment_facts WHERE invoice_id = ${transaction_id}) AS are_known`,
);
