import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { addToFeed } from '../sql';
import type { KeptReason } from './attribution';
import { type Change, changeTotals } from './change-totals';
import type { Client } from './fact-store';
import type { Payment } from './payment';

// docs/decisions/0007: a payment that matches no click and no customer is not a sale, and is kept with its reason until it is one.

const { sql } = Prisma;

type Unattributed = {
  programId: string;
  /** All keys of the payment. */
  keys: string[];
  reason: KeptReason;
  partnerCode: string | null;
  now: Date;
};

/** If retention has deleted the feed entry, its columns are null. */
type KeptRow = {
  transaction_id: string;
  reason: string;
  amount_cents: bigint | null;
  currency: string | null;
  occurred_at: Date | null;
  is_sale: boolean;
};

/**
 * Keeps a payment once, as its facts and its program are now, unless it is already a sale. An entry that has changed is replaced by
 * a new one, so that a reader of the feed sees it.
 */
export async function keepUnattributed(payment: Payment, kept: Unattributed): Promise<void> {
  const { programId, keys, reason, partnerCode, now } = kept;
  const { transactionId, amountCents, currency, occurredAt } = payment;
  await database().$transaction(async (tx) => {
    const before = await tx.$queryRaw<KeptRow[]>`
      SELECT p.transaction_id, p.reason, e.amount_cents, e.currency, e.occurred_at, ${isSale(programId, keys)} AS is_sale
      FROM service_unattributed_payments p LEFT JOIN service_events e ON ${isFeedEntryOf(programId)}
      WHERE p.program_id = ${programId} AND p.transaction_id = ANY(${keys}) FOR UPDATE OF p`;
    const isCurrent = (row: KeptRow) =>
      !row.is_sale &&
      row.transaction_id === transactionId &&
      row.reason === reason &&
      Number(row.amount_cents) === amountCents &&
      row.currency === currency &&
      row.occurred_at?.getTime() === occurredAt.getTime();
    if (before.length === 1 && before.every(isCurrent)) return;
    const changes = await removeUnattributed(tx, programId, keys);
    const inserted = await insertUnattributed(tx, payment, kept);
    if (inserted) changes.push({ programId, partnerCode, currency, occurredAt, unattributed: 1 });
    await changeTotals(tx, changes, now);
  });
  // Path B may have committed the sale in between: neither transaction has seen the other's rows.
  const [row] = await database().$queryRaw<Array<{ is_sale: boolean }>>`SELECT ${isSale(programId, keys)} AS is_sale`;
  if (row?.is_sale) await withdrawUnattributed(programId, keys, now);
}

/** @returns false if it is a sale, or if another event of the payment has just inserted it */
async function insertUnattributed(tx: Client, payment: Payment, kept: Unattributed): Promise<boolean> {
  const { programId, keys, reason, partnerCode, now } = kept;
  const { clickId, customerKey } = payment.metadata;
  const entries = await tx.$executeRaw`
    WITH payment AS (
      INSERT INTO service_unattributed_payments (program_id, transaction_id, reason, created_at)
      SELECT ${programId}, ${payment.transactionId}, ${reason}, ${now}
      WHERE NOT ${isSale(programId, keys)}
      AND NOT EXISTS (
        SELECT FROM service_unattributed_payments
        WHERE program_id = ${programId} AND transaction_id = ANY(${keys}))
      ON CONFLICT (program_id, transaction_id) DO NOTHING
      RETURNING *
    )
    ${addToFeed(sql`FROM payment`, sql`program_id`, {
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
    })}`;
  return entries > 0;
}

/** A condition: whether the payment is already a sale, under any of its keys. */
export const isSale = (programId: string, keys: string[]) => sql`
  EXISTS (SELECT FROM service_sales WHERE program_id = ${programId} AND NOT test AND transaction_id = ANY(${keys}))`;

/** A condition: `e` is the feed entry of the kept payment `p`. */
const isFeedEntryOf = (programId: string) => sql`
  e.program_id = ${programId} AND e.kind = 'not_attributed' AND NOT e.test
    AND e.created_at = p.created_at AND e.transaction_id = p.transaction_id`;

type EntryRow = { partner_code: string | null; currency: string; occurred_at: Date };

/** Removes a kept payment that is now a sale, or of which nothing was paid. */
export async function withdrawUnattributed(programId: string, keys: string[], now: Date): Promise<void> {
  await database().$transaction(async (tx) => changeTotals(tx, await removeUnattributed(tx, programId, keys), now));
}

/** The same in a transaction that changes totals as its last step. @returns what is no longer counted */
export async function removeUnattributed(tx: Client, programId: string, keys: string[]): Promise<Change[]> {
  const entries = await tx.$queryRaw<EntryRow[]>`
    WITH payment AS (
      DELETE FROM service_unattributed_payments
      WHERE program_id = ${programId} AND transaction_id = ANY(${keys})
      RETURNING transaction_id, created_at
    )
    DELETE FROM service_events e USING payment p
    WHERE ${isFeedEntryOf(programId)}
    RETURNING e.partner_code, e.currency, coalesce(e.occurred_at, e.created_at) AS occurred_at`;
  return entries.map(({ partner_code, currency, occurred_at }) => ({
    programId,
    partnerCode: partner_code,
    currency,
    occurredAt: occurred_at,
    unattributed: -1,
  }));
}
