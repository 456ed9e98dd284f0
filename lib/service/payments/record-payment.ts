import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { decideLead } from '../domain/lead.ts';
import {
  decidePaymentAccount,
  decidePaymentAttribution,
  type NotAttributedReason,
  type PaymentAttribution,
} from '../domain/payment-attribution.ts';
import type { Payment, PaymentEventEnvelope } from '../domain/payment-event.ts';
import type { PaymentMode } from '../domain/program.ts';
import { createId } from '../ids.ts';
import { addToDailyAmounts, addToDailyCounts, addToFeed } from '../sql.ts';
import { type LeadRow, type LeadSubject, leadFacts, readLeadRow } from '../track/read-lead-facts.ts';
import { settleLead } from '../track/settle-lead.ts';
import { applyRefunds } from './apply-refunds.ts';

type ProgramRow = { program_id: string | null; payment_account_id: string | null; payment_mode: PaymentMode | null };

export type PaymentOutcome =
  | { outcome: 'sale' | 'known_sale'; programId: string }
  | { outcome: 'not_attributed'; reason: NotAttributedReason; programId: string | null };

const ATTEMPTS = 3;

/** §4, path A: a payment that arrives through the connected payment account becomes a sale, or is kept with a reason. */
export async function recordPayment(payment: Payment, event: PaymentEventEnvelope, now: Date): Promise<PaymentOutcome> {
  const { programId, clickId, customerKey } = payment.metadata;
  if (!programId) return keepBySubscription(payment, event, now);
  const subject: LeadSubject = { clickId, customerKey, test: false, now };

  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await readLeadRow<ProgramRow>(
      Prisma.sql`program AS (SELECT * FROM service_programs WHERE id = ${programId})`,
      subject,
      { columns: Prisma.sql`, p.id AS program_id, p.payment_account_id, p.payment_mode`, joins: Prisma.empty },
    );
    const program = row.program_id && { paymentAccountId: row.payment_account_id, paymentMode: row.payment_mode };
    const refused = decidePaymentAccount({ program: program || null, event });
    if (refused === 'unknown_program') return { outcome: 'not_attributed', reason: refused, programId: null };

    const facts = leadFacts(row, 'payment', subject);
    const attribution: PaymentAttribution = refused
      ? { attributed: false, reason: refused }
      : decidePaymentAttribution({ ...facts, metadata: payment.metadata, lead: decideLead(facts) });
    if (!attribution.attributed) {
      const { reason } = attribution;
      await insertUnattributed(payment, { programId, reason, partnerCode: row.partner_code, now });
      return { outcome: 'not_attributed', reason, programId };
    }
    const written = await insertPaidSale(payment, { programId, row, attribution, occurredAt: event.occurredAt, now });
    if (written === 'lead_changed') continue; // another call settled this customer's lead: its attribution stands
    await applyRefunds(payment.transactionId, now);
    return { outcome: written, programId };
  }
  throw new Error('A payment kept changing while it was decided.');
}

/**
 * A payment that names no program, as a renewal does whose subscription has no metadata (§4). It attributes to nobody;
 * but where the service knows a sale of the same subscription, it is kept beside it, so that somebody sees it.
 */
async function keepBySubscription(payment: Payment, event: PaymentEventEnvelope, now: Date): Promise<PaymentOutcome> {
  const known = payment.subscriptionId
    ? await database().sale.findFirst({
        where: { subscriptionId: payment.subscriptionId, test: false },
        select: { customerKey: true, program: { select: { id: true, paymentAccountId: true, paymentMode: true } } },
      })
    : null;
  const program = known && { ...known.program, paymentMode: known.program.paymentMode as PaymentMode | null };
  if (!program || decidePaymentAccount({ program, event })) {
    return { outcome: 'not_attributed', reason: 'no_program', programId: null };
  }
  const { clickId, customerKey } = payment.metadata;
  const reason = clickId || customerKey ? 'no_program' : 'no_attribution';
  const kept = { ...payment, metadata: { ...payment.metadata, customerKey: known.customerKey } };
  await insertUnattributed(kept, { programId: program.id, reason, partnerCode: null, now });
  return { outcome: 'not_attributed', reason, programId: program.id };
}

type Attributed = Extract<PaymentAttribution, { attributed: true }>;
type PaidSale = { programId: string; row: LeadRow; attribution: Attributed; occurredAt: Date; now: Date };

async function insertPaidSale(payment: Payment, sale: PaidSale): Promise<'sale' | 'known_sale' | 'lead_changed'> {
  const { sql, empty } = Prisma;
  const { programId, row, attribution, occurredAt, now } = sale;
  const settles = attribution.settlesLead;
  const [clickId, partnerId, partnerCode] =
    attribution.by === 'customer'
      ? [row.lead_click_id, row.lead_partner_id, row.lead_partner_code]
      : [row.click_id, row.partner_id, row.partner_code];
  const lead = settleLead({
    leadId: createId('led'),
    programId,
    test: false,
    customerKey: payment.metadata.customerKey ?? '',
    clickId,
    partnerId,
    partnerCode,
    email: null,
    settledBy: 'payment',
    now,
  });
  const count = { sales: sql`(SELECT count(*) FROM sale)` };
  const counts = settles
    ? { ...count, leads: sql`(SELECT count(*) FROM lead)`, provisional_settled: sql`(SELECT count(*) FROM closed)` }
    : count;
  const columns = { programId: sql`${programId}`, partnerCode: sql`${partnerCode}`, now };
  const [written] = await database().$queryRaw<Array<{ has_lead: boolean; has_sale: boolean }>>`
    WITH ${settles ? sql`${lead},` : empty}
    sale AS (
      INSERT INTO service_sales (id, program_id, test, transaction_id, customer_key, click_id, partner_id, amount_cents,
        currency, subscription_id, is_recurring, source, occurred_at, created_at)
      SELECT ${createId('sal')}, ${programId}, false, ${payment.transactionId}, ${payment.metadata.customerKey}, ${clickId},
        ${partnerId}, ${payment.amountCents}, ${payment.currency}, ${payment.subscriptionId}, ${payment.isRecurring},
        'payment', ${occurredAt}, ${now}
      ${settles ? sql`FROM lead` : empty}
      ON CONFLICT (program_id, test, transaction_id) DO NOTHING
      RETURNING *
    ),
    sale_feed AS (${addToFeed(sql`FROM sale`, sql`program_id`, {
      kind: payment.isRecurring ? 'renewal' : 'sale',
      now,
      clickId: sql`click_id`,
      partnerCode: sql`${partnerCode}`,
      customerKey: sql`customer_key`,
      transactionId: sql`transaction_id`,
      amountCents: sql`amount_cents`,
      currency: sql`currency`,
    })}),
    daily AS (${addToDailyCounts(columns, counts)}),
    amounts AS (${addToDailyAmounts('sales_cents', { ...columns, currency: sql`currency`, amountCents: sql`amount_cents` }, sql`FROM sale`)})
    SELECT ${settles ? sql`EXISTS (SELECT FROM lead)` : sql`true`} AS has_lead, EXISTS (SELECT FROM sale) AS has_sale`;
  if (!written?.has_lead) return 'lead_changed';
  return written.has_sale ? 'sale' : 'known_sale';
}

type Unattributed = { programId: string; reason: NotAttributedReason; partnerCode: string | null; now: Date };

// Docs/decisions/0017: no sale, and kept with its reason; once for each payment, and not where it is a sale already.
async function insertUnattributed(payment: Payment, { programId, reason, partnerCode, now }: Unattributed) {
  const { sql } = Prisma;
  const { clickId, customerKey } = payment.metadata;
  await database().$executeRaw`
    WITH payment AS (
      INSERT INTO service_unattributed_payments (program_id, transaction_id, reason, created_at)
      SELECT ${programId}, ${payment.transactionId}, ${reason}, ${now}
      WHERE NOT EXISTS (
        SELECT FROM service_sales
        WHERE program_id = ${programId} AND NOT test AND transaction_id = ${payment.transactionId})
      ON CONFLICT (program_id, transaction_id) DO NOTHING
      RETURNING *
    ),
    feed AS (${addToFeed(sql`FROM payment`, sql`program_id`, {
      kind: 'not_attributed',
      now,
      clickId: sql`${clickId}`,
      partnerCode: sql`${partnerCode}`,
      customerKey: sql`${customerKey}`,
      transactionId: sql`transaction_id`,
      amountCents: sql`${payment.amountCents}::bigint`,
      currency: sql`${payment.currency}`,
      reason: sql`reason`,
    })})
    ${addToDailyCounts({ programId: sql`program_id`, partnerCode: sql`${partnerCode}`, now }, { unattributed: sql`1` }, sql`FROM payment`)}`;
}
