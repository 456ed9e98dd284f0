import 'server-only';
import { createHash } from 'node:crypto';
import { Prisma } from '@/prisma/generated/client';
import type { Change } from './change-totals';
import type { Client } from './fact-store';
import { isReturn, type PaymentFact, RETURN_REASONS, type ReturnEntry } from './payment';

const { sql, join } = Prisma;

/**
 * The same ID for the same fact, or the same share of it, so that a repeat finds it; a different one for each state, so that a
 * reader of the feed that stops at a known ID sees a dispute close.
 */
const entryId = (...parts: Array<string | null>) =>
  `evt_${createHash('sha256')
    .update(parts.filter((part) => part !== null).join(' '))
    .digest('hex')
    .slice(0, 32)}`;

export type SaleRow = {
  id: string;
  program_id: string;
  transaction_id: string;
  customer_key: string | null;
  click_id: string | null;
  partner_code: string | null;
  amount_cents: bigint;
  refunded_cents: bigint;
  currency: string;
  subscription_id: string | null;
  is_recurring: boolean;
  source: 'payment' | 'api';
  occurred_at: Date;
  created_at: Date;
};

type Returns = { refundedCents: number; entries: ReturnEntry[] };
/** As in the feed: `amount_cents` is unsigned, and null if the entry changes nothing. */
type EntryRow = {
  id: string;
  partner_code: string | null;
  amount_cents: bigint | null;
  currency: string;
  reason: string | null;
  occurred_at: Date;
};

/**
 * Replaces a payment's entries of refunds and disputes, and writes what they take from its sale.
 * @param invoiceOfShare the invoice that this share of the payment belongs to; null if the payment is one sale
 */
export async function restateReturns(
  tx: Client,
  changes: Change[],
  sale: SaleRow,
  { facts, invoiceOfShare }: { facts: PaymentFact[]; invoiceOfShare: string | null },
  returns: Returns,
  now: Date,
): Promise<void> {
  // Before a second invoice was known, an entry was for the whole payment.
  const possible = facts
    .filter(isReturn)
    .flatMap(({ id }) => [null, invoiceOfShare].map((share) => [sale.program_id, id, share] as const))
    .flatMap((parts) => [null, ...RETURN_REASONS].map((reason) => entryId(...parts, reason)));
  if (possible.length === 0) return;
  const entries = returns.entries.map(({ key, amountCents, reason, occurredAt }) => {
    const amount = amountCents === 0 ? null : BigInt(Math.abs(amountCents));
    const { partner_code, currency } = sale;
    const id = entryId(sale.program_id, key, invoiceOfShare, reason);
    return { id, partner_code, amount_cents: amount, currency, reason, occurred_at: occurredAt };
  });
  const before = await tx.$queryRaw<EntryRow[]>`
    SELECT id, partner_code, amount_cents, currency, reason, coalesce(occurred_at, created_at) AS occurred_at
    FROM service_events WHERE id = ANY(${possible})`;
  await tx.$executeRaw`
    DELETE FROM service_events WHERE id = ANY(${possible}) AND NOT id = ANY(${entries.map(({ id }) => id)})`;
  if (entries.length > 0) await writeEntries(tx, sale, entries, now);
  changes.push(...before.map((entry) => refundChange(sale.program_id, entry, -1)));
  changes.push(...entries.map((entry) => refundChange(sale.program_id, entry, 1)));
  if (BigInt(returns.refundedCents) === sale.refunded_cents) return;
  await tx.$executeRaw`UPDATE service_sales SET refunded_cents = ${returns.refundedCents} WHERE id = ${sale.id}`;
}

/** An entry's contribution to the totals: a failed refund restores money and does not count as a refund. */
function refundChange(programId: string, entry: EntryRow, sign: 1 | -1): Change {
  const row = { programId, partnerCode: entry.partner_code, currency: entry.currency, occurredAt: entry.occurred_at };
  const cents = (entry.amount_cents ?? 0n) * BigInt(sign);
  if (entry.reason === 'refund_failed') return { ...row, refundedCents: -cents };
  return { ...row, refunds: cents === 0n ? 0 : sign, refundedCents: cents };
}

async function writeEntries(tx: Client, sale: SaleRow, entries: EntryRow[], now: Date) {
  const rows = entries.map(
    ({ id, partner_code, amount_cents, currency, reason, occurred_at }) => sql`
      (${id}, ${sale.program_id}, 'refund', ${sale.click_id}, ${partner_code}, ${sale.customer_key},
      ${sale.transaction_id}, ${amount_cents}::bigint, ${currency}, ${reason}, ${occurred_at}::timestamptz,
      ${now}::timestamptz)`,
  );
  await tx.$executeRaw`
    INSERT INTO service_events (id, program_id, kind, click_id, partner_code, customer_key, transaction_id, amount_cents,
      currency, reason, occurred_at, created_at)
    VALUES ${join(rows)}
    ON CONFLICT (id) DO UPDATE SET click_id = excluded.click_id, partner_code = excluded.partner_code,
      customer_key = excluded.customer_key, transaction_id = excluded.transaction_id, amount_cents = excluded.amount_cents,
      currency = excluded.currency, reason = excluded.reason, occurred_at = excluded.occurred_at`;
}
