import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { addToDailyCounts, addToFeed } from '../sql.ts';
import type { NotAttributedReason } from './attribution.ts';
import type { Change } from './change-totals.ts';
import type { Client } from './fact-store.ts';
import type { Payment } from './payment.ts';

// docs/decisions/0007: a payment that matches no click and no customer is no sale, and is kept with its reason until it is one.

const { sql } = Prisma;

type Unattributed = {
  programId: string;
  /** All keys that the payment is known by. */
  keys: string[];
  reason: NotAttributedReason;
  partnerCode: string | null;
  now: Date;
};

/** Keeps it once for each payment, and not where it is a sale already. */
export async function keepUnattributed(payment: Payment, kept: Unattributed): Promise<void> {
  const { programId, keys, reason, partnerCode, now } = kept;
  const { clickId, customerKey } = payment.metadata;
  const totals = { programId: sql`program_id`, partnerCode: sql`${partnerCode}`, now, occurredAt: payment.occurredAt };
  await database().$executeRaw`
    WITH payment AS (
      INSERT INTO service_unattributed_payments (program_id, transaction_id, reason, created_at)
      SELECT ${programId}, ${payment.transactionId}, ${reason}, ${now}
      WHERE NOT EXISTS (
        SELECT FROM service_sales
        WHERE program_id = ${programId} AND NOT test AND transaction_id = ANY(${keys}))
      AND NOT EXISTS (
        SELECT FROM service_unattributed_payments
        WHERE program_id = ${programId} AND transaction_id = ANY(${keys}))
      ON CONFLICT (program_id, transaction_id) DO NOTHING
      RETURNING *
    ),
    feed AS (${addToFeed(sql`FROM payment`, sql`program_id`, {
      kind: 'not_attributed',
      now,
      occurredAt: payment.occurredAt,
      clickId: sql`${clickId}`,
      partnerCode: sql`${partnerCode}`,
      customerKey: sql`${customerKey}`,
      transactionId: sql`transaction_id`,
      amountCents: sql`${payment.amountCents}::bigint`,
      currency: sql`${payment.currency}`,
      reason: sql`reason`,
    })})
    ${addToDailyCounts(totals, { unattributed: sql`1` }, sql`FROM payment`)}`;
}

type EntryRow = { partner_code: string | null; currency: string; occurred_at: Date };

/** Removes what was kept of a payment that is a sale by now. @returns what is no longer counted */
export async function removeUnattributed(tx: Client, programId: string, keys: string[]): Promise<Change[]> {
  const entries = await tx.$queryRaw<EntryRow[]>`
    WITH payment AS (
      DELETE FROM service_unattributed_payments
      WHERE program_id = ${programId} AND transaction_id = ANY(${keys})
      RETURNING transaction_id, created_at
    )
    DELETE FROM service_events e USING payment p
    WHERE e.program_id = ${programId} AND e.kind = 'not_attributed' AND NOT e.test
      AND e.created_at = p.created_at AND e.transaction_id = p.transaction_id
    RETURNING e.partner_code, e.currency, coalesce(e.occurred_at, e.created_at) AS occurred_at`;
  return entries.map(({ partner_code, currency, occurred_at }) => ({
    programId,
    partnerCode: partner_code,
    currency,
    occurredAt: occurred_at,
    unattributed: -1,
  }));
}
