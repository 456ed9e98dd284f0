import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { decideRefundShare } from '../domain/refund.ts';
import { addToDailyAmounts, addToDailyCounts, addToFeed } from '../sql.ts';

type DueRefund = {
  sale_id: string;
  amount_cents: bigint;
  charge_id: string;
  charged_cents: bigint;
  previous_refunded_cents: bigint;
  refunded_cents: bigint;
};

/**
 * Lowers the sales of a transaction by the refunds that are known of it and not applied yet. Call it after whatever was
 * committed last, the sale, the refund, or the link between them: so the order in which they arrive does not matter,
 * and each refund is applied once.
 */
export async function applyRefunds(transactionId: string, now: Date): Promise<number> {
  const due = await database().$queryRaw<DueRefund[]>`
    SELECT s.id AS sale_id, s.amount_cents, r.charge_id, r.charged_cents, r.previous_refunded_cents, r.refunded_cents
    FROM service_sales s
      JOIN service_programs p ON p.id = s.program_id
      JOIN (
        SELECT * FROM service_payment_refunds WHERE payment_intent_id = ${transactionId} OR invoice_id = ${transactionId}
        UNION
        SELECT r.* FROM service_payment_links l JOIN service_payment_refunds r ON r.payment_intent_id = l.payment_intent_id
        WHERE l.invoice_id = ${transactionId}
      ) r ON p.payment_mode = CASE WHEN r.livemode THEN 'live' ELSE 'test' END
        AND (r.account_id IS NULL OR r.account_id = p.payment_account_id)
    WHERE s.transaction_id = ${transactionId} AND NOT s.test AND NOT EXISTS (
      SELECT FROM service_sale_refunds a
      WHERE a.sale_id = s.id AND a.charge_id = r.charge_id AND a.refunded_cents = r.refunded_cents)`;
  for (const refund of due) await applyRefund(refund, now);
  return due.length;
}

async function applyRefund(refund: DueRefund, now: Date): Promise<void> {
  const { sql } = Prisma;
  const share = decideRefundShare(Number(refund.amount_cents), {
    chargedCents: Number(refund.charged_cents),
    previousRefundedCents: Number(refund.previous_refunded_cents),
    refundedCents: Number(refund.refunded_cents),
  });
  const columns = { programId: sql`sale.program_id`, partnerCode: sql`a.code`, now };
  const from = sql`FROM sale LEFT JOIN service_partners a ON a.id = sale.partner_id`;
  await database().$executeRaw`
    WITH applied AS (
      INSERT INTO service_sale_refunds (sale_id, charge_id, refunded_cents, amount_cents, created_at)
      VALUES (${refund.sale_id}, ${refund.charge_id}, ${refund.refunded_cents}, ${share}, ${now})
      ON CONFLICT DO NOTHING
      RETURNING sale_id
    ),
    sale AS (
      UPDATE service_sales s SET refunded_cents = s.refunded_cents + ${share} FROM applied WHERE s.id = applied.sale_id
      RETURNING s.*
    ),
    feed AS (${addToFeed(from, sql`sale.program_id`, {
      kind: 'refund',
      now,
      clickId: sql`sale.click_id`,
      partnerCode: sql`a.code`,
      customerKey: sql`sale.customer_key`,
      transactionId: sql`sale.transaction_id`,
      amountCents: sql`${share}::bigint`,
      currency: sql`sale.currency`,
    })}),
    daily AS (${addToDailyCounts(columns, { refunds: sql`1` }, from)})
    ${addToDailyAmounts('refunded_cents', { ...columns, currency: sql`sale.currency`, amountCents: sql`${share}::bigint` }, from)}`;
}
