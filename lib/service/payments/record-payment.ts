import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import type { PaymentMode } from '../domain/program';
import { createId } from '../ids';
import { addToDailyAmounts, addToDailyCounts, addToFeed } from '../sql';
import { joinLeadFacts, type LeadFactsRow, leadColumns, leadFacts } from '../track/lead-facts';
import { settleLead } from '../track/settle-lead';
import {
  decidePaymentAccount,
  decidePaymentAttribution,
  type NotAttributedReason,
  type PaymentAttribution,
} from './attribution';
import type { Client } from './fact-store';
import type { Payment } from './payment';
import { isSale, keepUnattributed, withdrawUnattributed } from './unattributed';

/** What a payment's metadata refers to; a part is null if there is none. `lead_…` is the attribution of the customer's lead. */
type PaymentRow = LeadFactsRow & {
  program_id: string | null;
  payment_account_id: string | null;
  payment_mode: PaymentMode | null;
  click_id: string | null;
  partner_id: string | null;
  partner_code: string | null;
  lead_click_id: string | null;
  lead_partner_id: string | null;
  lead_partner_code: string | null;
};

type PaymentOutcome =
  | { outcome: 'sale' | 'known_sale' }
  | { outcome: 'not_attributed'; reason: NotAttributedReason }
  | { outcome: 'ignored'; reason: 'zero_amount' };

const nothingPaid = { outcome: 'ignored', reason: 'zero_amount' } as const;

/** The account and mode of an event, and all keys of its payment. */
type PaymentSource = { accountId: string | null; livemode: boolean; keys: string[] };

const ATTEMPTS = 3;

/** §4, path A: records a payment from the connected payment account as a sale, or keeps it with a reason. */
export async function recordPayment(payment: Payment, source: PaymentSource, now: Date): Promise<PaymentOutcome> {
  const { programId } = payment.metadata;
  if (!programId) return payment.amountCents > 0 ? keepBySubscription(payment, source, now) : nothingPaid;

  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await readPaymentRow(payment);
    const account = { paymentAccountId: row.payment_account_id, paymentMode: row.payment_mode };
    const refused = decidePaymentAccount({ program: row.program_id ? account : null, event: source });
    // Another account's owner controls the content of its events, so none of it enters the program's records.
    if (refused === 'unknown_program' || refused === 'account_mismatch') {
      return { outcome: 'not_attributed', reason: refused };
    }
    if (payment.amountCents === 0) {
      await withdrawUnattributed(programId, source.keys, now);
      return nothingPaid;
    }
    const facts = leadFacts(row, { caller: 'payment', test: false });
    const attribution: PaymentAttribution = refused
      ? { attributed: false, reason: refused }
      : decidePaymentAttribution(payment.metadata, facts);
    if (!attribution.attributed) {
      const { reason } = attribution;
      await keepUnattributed(payment, { programId, keys: source.keys, reason, partnerCode: row.partner_code, now });
      return { outcome: 'not_attributed', reason };
    }
    const written = await insertPaidSale(payment, { programId, source, row, attribution, now });
    if (written !== 'lead_changed') return { outcome: written };
    // Another call settled this customer's lead: its attribution stands, so decide again.
  }
  throw new Error('A payment kept changing while it was decided.');
}

/** The click's window is measured at the time of the payment, so a late event changes nothing. */
async function readPaymentRow({ metadata, occurredAt }: Payment): Promise<PaymentRow> {
  const { programId, clickId, customerKey } = metadata;
  const { sql } = Prisma;
  const given = {
    clickId: sql`${clickId}::text`,
    customerKey: sql`${customerKey}`,
    test: sql`false`,
    now: sql`${occurredAt}::timestamptz`,
  };
  const [row] = await database().$queryRaw<PaymentRow[]>`
    SELECT ${leadColumns(given)}, p.id AS program_id, p.payment_account_id, p.payment_mode,
      l.click_id AS lead_click_id, la.id AS lead_partner_id, la.code AS lead_partner_code
    FROM (SELECT 1) AS one LEFT JOIN service_programs p ON p.id = ${programId} ${joinLeadFacts(given)}
      LEFT JOIN service_partners la ON la.id = l.partner_id`;
  if (!row) throw new Error('The payment statement always returns a row.');
  return row;
}

/**
 * A payment without a program, such as a renewal whose subscription has no metadata (§4). It is attributed to no partner.
 * If an earlier payment of the same subscription, from the same account and in the same mode, named a program, this one is kept in
 * it, so that it is visible (docs/decisions/0007): a sale, or a checkout that cost nothing, such as the start of a trial. Path B's
 * subscription IDs do not count: any integrator can report any ID.
 */
async function keepBySubscription(payment: Payment, source: PaymentSource, now: Date): Promise<PaymentOutcome> {
  const known = payment.subscriptionId ? await findEarlierPayment(payment.subscriptionId, source) : null;
  if (!known) return { outcome: 'not_attributed', reason: 'no_program' };
  const { clickId, customerKey } = payment.metadata;
  const reason = clickId || customerKey ? 'no_program' : 'no_attribution';
  const kept = { ...payment, metadata: { ...payment.metadata, customerKey: known.customer_key } };
  await keepUnattributed(kept, { programId: known.program_id, keys: source.keys, reason, partnerCode: null, now });
  return { outcome: 'not_attributed', reason };
}

/** The program and customer of the first payment of a subscription that named a program. */
export async function findEarlierPayment(
  subscriptionId: string,
  source: Pick<PaymentSource, 'accountId' | 'livemode'>,
  client: Client = database(),
): Promise<{ program_id: string; customer_key: string | null } | null> {
  const mode = modeOf(source);
  const [known] = await client.$queryRaw<Array<{ program_id: string; customer_key: string | null }>>`
    SELECT earlier.program_id, earlier.customer_key FROM (
      SELECT program_id, customer_key, created_at FROM service_sales
      WHERE subscription_id = ${subscriptionId} AND NOT test AND source = 'payment'
        AND payment_mode = ${mode}
        AND (${source.accountId}::text IS NULL OR payment_account_id = ${source.accountId})
      UNION ALL
      SELECT details->'metadata'->>'programId', details->'metadata'->>'customerKey', created_at
      FROM service_payment_facts
      WHERE details->>'subscriptionId' = ${subscriptionId}
        AND account_id = ${source.accountId ?? ''} AND livemode = ${source.livemode}
    ) AS earlier JOIN service_programs p ON p.id = earlier.program_id
    WHERE p.payment_mode = ${mode}
      AND (${source.accountId}::text IS NULL OR p.payment_account_id = ${source.accountId})
    ORDER BY earlier.created_at LIMIT 1`;
  return known ?? null;
}

const modeOf = ({ livemode }: Pick<PaymentSource, 'livemode'>): PaymentMode => (livemode ? 'live' : 'test');

type Attributed = Extract<PaymentAttribution, { attributed: true }>;
type PaidSale = {
  programId: string;
  source: PaymentSource;
  row: PaymentRow;
  attribution: Attributed;
  now: Date;
};

async function insertPaidSale(payment: Payment, sale: PaidSale): Promise<'sale' | 'known_sale' | 'lead_changed'> {
  const { sql, empty } = Prisma;
  const { programId, source, row, attribution, now } = sale;
  const { occurredAt } = payment;
  const [clickId, partnerId, partnerCode] =
    attribution.by === 'customer'
      ? [row.lead_click_id, row.lead_partner_id, row.lead_partner_code]
      : [row.click_id, row.partner_id, row.partner_code];
  const customerKey = attribution.by === 'click' ? attribution.settlesLeadOf : null;
  const lead =
    customerKey === null
      ? null
      : settleLead({
          leadId: createId('led'),
          programId,
          test: false,
          customerKey,
          clickId,
          partnerId,
          partnerCode,
          email: null,
          settledBy: 'payment',
          now,
          occurredAt,
        });
  const count = {
    sales: sql`(SELECT count(*) FROM sale)`,
    renewals: sql`(SELECT count(*) FROM sale WHERE is_recurring)`,
  };
  const counts = lead
    ? { ...count, leads: sql`(SELECT count(*) FROM lead)`, provisional_settled: sql`(SELECT count(*) FROM closed)` }
    : count;
  const columns = { programId: sql`${programId}`, partnerCode: sql`${partnerCode}`, now, occurredAt };
  const [written] = await database().$queryRaw<Array<{ has_lead: boolean; has_sale: boolean }>>`
    WITH ${lead ? sql`${lead},` : empty}
    sale AS (
      INSERT INTO service_sales (id, program_id, test, transaction_id, customer_key, click_id, partner_id, amount_cents,
        currency, subscription_id, is_recurring, source, payment_account_id, payment_mode, occurred_at, created_at)
      SELECT ${createId('sal')}, ${programId}, false, ${payment.transactionId}, ${payment.metadata.customerKey}, ${clickId},
        ${partnerId}, ${payment.amountCents}, ${payment.currency}, ${payment.subscriptionId}, ${payment.isRecurring},
        'payment', ${source.accountId ?? row.payment_account_id}, ${modeOf(source)}, ${occurredAt}, ${now}
      ${lead ? sql`FROM lead` : empty}
      WHERE NOT ${isSale(programId, source.keys)}
      ON CONFLICT (program_id, test, transaction_id) DO NOTHING
      RETURNING *
    ),
    sale_feed AS (${addToFeed(sql`FROM sale`, sql`program_id`, {
      kind: payment.isRecurring ? 'renewal' : 'sale',
      now,
      occurredAt,
      clickId: sql`click_id`,
      partnerCode: sql`${partnerCode}`,
      customerKey: sql`customer_key`,
      transactionId: sql`transaction_id`,
      amountCents: sql`amount_cents`,
      currency: sql`currency`,
    })}),
    daily AS (${addToDailyCounts(columns, counts, lead ? sql`FROM lead` : sql`FROM sale`)}),
    amounts AS (${addToDailyAmounts('sales_cents', { ...columns, currency: sql`currency`, amountCents: sql`amount_cents` }, sql`FROM sale`)})
    SELECT ${lead ? sql`EXISTS (SELECT FROM lead)` : sql`true`} AS has_lead, EXISTS (SELECT FROM sale) AS has_sale`;
  if (!written?.has_lead) return 'lead_changed';
  return written.has_sale ? 'sale' : 'known_sale';
}
