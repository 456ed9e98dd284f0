// Path B of the contract (§1): a payment that no payment provider reports. An operator sees the money, and the shop reports
// the sale itself. Change in your app: the source of the invoice ID, which has to be unique forever (§2, Sale).
import 'server-only';
import { randomBytes } from 'node:crypto';
import { deliverEntry } from '@/lib/integration/outbox/deliver';
import { enqueue } from '@/lib/integration/outbox/store';
import { findPlan, type Plan } from '@/lib/integration/plans';
import { database } from '@/prisma/client';
import { retryEntry } from './outbox';

export type Transfer = {
  invoiceId: string;
  userId: string;
  plan: string;
  amount: number;
  currency: string;
  requestedAt: Date;
  paidAt: Date | null;
  until: Date | null;
};

/** The outbox entry that reports a transfer's sale. */
export const saleEntryId = (invoiceId: string) => `sale:${invoiceId}`;

/** The user's open transfer for the plan: the one that exists, else a new one. The unique index decides between parallel orders. */
export async function requestTransfer(userId: string, plan: Plan, now: Date): Promise<string> {
  const openFor = `${userId} ${plan.name}`;
  const invoiceId = `LD-${randomBytes(6).toString('hex').toUpperCase()}`;
  const { name, amount, currency } = plan;
  const transfer = await database().shopTransfer.upsert({
    where: { openFor },
    create: { invoiceId, userId, plan: name, amount, currency, requestedAt: now, openFor },
    update: { openFor },
  });
  return transfer.invoiceId;
}

/** The transfers of one user, or of all, newest first. */
export async function listTransfers(userId?: string): Promise<Transfer[]> {
  const where = userId === undefined ? {} : { userId };
  const rows = await database().shopTransfer.findMany({ where, orderBy: { requestedAt: 'desc' }, take: 100 });
  return rows.map(({ openFor: _openFor, ...row }) => {
    const plan = findPlan(row.plan);
    return { ...row, until: plan && transferUntil(plan, row.paidAt) };
  });
}

/** The money has arrived. The plan and the report of the sale are stored together, then the report is delivered. */
export async function markTransferPaid(invoiceId: string, now: Date): Promise<void> {
  await database().$transaction(async (transaction) => {
    const { count } = await transaction.shopTransfer.updateMany({
      where: { invoiceId, paidAt: null },
      data: { paidAt: now, openFor: null },
    });
    if (count === 0) return;
    const transfer = await transaction.shopTransfer.findUniqueOrThrow({ where: { invoiceId } });
    const { userId: customerExternalId, amount, currency } = transfer;
    const sale = { kind: 'sale', customerExternalId, amount, currency, invoiceId } as const;
    await enqueue(saleEntryId(invoiceId), sale, now, transaction);
  });
  await deliverEntry(saleEntryId(invoiceId));
}

/** Reports a paid transfer once more. The service answers 409 where it has the sale: already recorded, never twice. */
export async function reportTransferAgain(invoiceId: string, now: Date): Promise<void> {
  await retryEntry(saleEntryId(invoiceId), now);
}

/**
 * When what a transfer paid for ends: a calendar month or year after the payment, in UTC; `null` for a lifetime plan. A day that
 * the last month does not have becomes its last day: 31 January + 1 month is 28 or 29 February.
 */
export function transferUntil(plan: Plan, paidAt: Date | null): Date | null {
  if (!paidAt || plan.interval === null) return null;
  const until = new Date(paidAt);
  until.setUTCMonth(paidAt.getUTCMonth() + (plan.interval === 'month' ? 1 : 12));
  if (until.getUTCDate() !== paidAt.getUTCDate()) until.setUTCDate(0); // it ran over into the month after
  return until;
}
