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

/** An open transfer for the plan: the one that the user already has, else a new one. */
export async function requestTransfer(userId: string, plan: Plan, now: Date): Promise<string> {
  const open = await database().shopTransfer.findFirst({ where: { userId, plan: plan.name, paidAt: null } });
  if (open) return open.invoiceId;
  const invoiceId = `LD-${randomBytes(6).toString('hex').toUpperCase()}`;
  const { name, amount, currency } = plan;
  await database().shopTransfer.create({ data: { invoiceId, userId, plan: name, amount, currency, requestedAt: now } });
  return invoiceId;
}

/** The transfers of one user, or of all, newest first. */
export async function listTransfers(userId?: string): Promise<Transfer[]> {
  const where = userId === undefined ? {} : { userId };
  const rows = await database().shopTransfer.findMany({ where, orderBy: { requestedAt: 'desc' }, take: 100 });
  return rows.map((row) => {
    const plan = findPlan(row.plan);
    return { ...row, until: plan && transferUntil(plan, row.paidAt) };
  });
}

/** The money has arrived. The plan and the report of the sale are stored together, then the report is delivered. */
export async function markTransferPaid(invoiceId: string, now: Date): Promise<void> {
  await database().$transaction(async (transaction) => {
    const { count } = await transaction.shopTransfer.updateMany({
      where: { invoiceId, paidAt: null },
      data: { paidAt: now },
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

/** When what a transfer paid for ends: a month or a year after the payment, in UTC; `null` for a lifetime plan. */
export function transferUntil(plan: Plan, paidAt: Date | null): Date | null {
  if (!paidAt || plan.interval === null) return null;
  const until = new Date(paidAt);
  if (plan.interval === 'month') until.setUTCMonth(until.getUTCMonth() + 1);
  else until.setUTCFullYear(until.getUTCFullYear() + 1);
  return until;
}
