import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { addToDailyAmounts, addToDailyCounts, dayOf } from '../sql';
import type { Client } from './fact-store';

/** A change of the totals of the day on which something happened, in minor units of `currency`. */
export type Change = {
  programId: string;
  partnerCode: string | null;
  currency: string;
  occurredAt: Date;
  sales?: number;
  renewals?: number;
  refunds?: number;
  unattributed?: number;
  soldCents?: bigint;
  refundedCents?: bigint;
};

const COUNTS = ['sales', 'renewals', 'refunds', 'unattributed'] as const;
const { sql, empty } = Prisma;

/** One change per row of the totals, sorted, so that two transactions cannot deadlock. */
export function mergeChanges(changes: readonly Change[]): Array<Required<Change>> {
  const merged = new Map<string, Required<Change>>();
  for (const change of changes) {
    const { programId, partnerCode, currency, occurredAt } = change;
    // Below every character of a code: rows of counts have no currency, so their order must not depend on it.
    const key = [dayOf(occurredAt), programId, partnerCode ?? '', currency].join('\0');
    const none = { sales: 0, renewals: 0, refunds: 0, unattributed: 0, soldCents: 0n, refundedCents: 0n };
    const sum = merged.get(key) ?? { programId, partnerCode, currency, occurredAt, ...none };
    for (const name of COUNTS) sum[name] += change[name] ?? 0;
    sum.soldCents += change.soldCents ?? 0n;
    sum.refundedCents += change.refundedCents ?? 0n;
    merged.set(key, sum);
  }
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
}

/**
 * Writes the totals as the last step of a transaction. Changes that cancel each other out write nothing. Amounts are written before
 * counts, in the order of a statement that records a sale: PostgreSQL runs its last common table expression first.
 */
export async function changeTotals(tx: Client, changes: readonly Change[], now: Date): Promise<void> {
  const merged = mergeChanges(changes);
  const rowOf = ({ programId, partnerCode, currency, occurredAt }: Change) => ({
    programId: sql`${programId}`,
    partnerCode: sql`${partnerCode}`,
    currency: sql`${currency}`,
    now,
    occurredAt,
  });
  for (const change of merged) {
    const amounts = { sales_cents: change.soldCents, refunded_cents: change.refundedCents };
    for (const column of ['sales_cents', 'refunded_cents'] as const) {
      const row = { ...rowOf(change), amountCents: sql`${amounts[column]}::bigint` };
      if (amounts[column] !== 0n) await tx.$executeRaw(addToDailyAmounts(column, row, empty));
    }
  }
  for (const change of merged) {
    const names = COUNTS.filter((name) => change[name] !== 0);
    const counts = Object.fromEntries(names.map((name) => [name, sql`${change[name]}::int`]));
    if (names.length > 0) await tx.$executeRaw(addToDailyCounts(rowOf(change), counts));
  }
}
