// Path B of the contract (§1): a payment that no payment provider reports. An operator sees the money, and the shop reports
// the sale itself. Change in your app: the source of the invoice ID, which has to be unique forever (§2, Sale).
import 'server-only';
import { randomBytes } from 'node:crypto';
import { log } from '@/lib/integration/log';
import { deliverEntry } from '@/lib/integration/outbox/deliver';
import { enqueue } from '@/lib/integration/outbox/store';
import { findPlan, type Plan } from '@/lib/integration/plans';
import { readCustomer } from '@/lib/integration/stripe/customer';
import { type Entitlement, isEntitled, isLiveSubscription } from '@/lib/integration/stripe/entitlement';
import { listEntitlements } from '@/lib/integration/stripe/holdings';
import { database } from '@/prisma/client';
import { type Page, type PageCursor, toPage } from './page-cursor';

export type Transfer = {
  invoiceId: string;
  userId: string;
  plan: string;
  amount: number;
  currency: string;
  requestedAt: Date;
  paidAt: Date | null;
};

/** The outbox entry that reports a transfer's sale. */
export const saleEntryId = (invoiceId: string) => `sale:${invoiceId}`;

/** The user's open transfer for the plan, existing or new. The unique index decides between parallel orders. */
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

/**
 * Whether a transfer would pay again for what the customer holds: the plan itself if it is paid once, or any subscription that renews.
 * A further period after one that ends is not paid for twice.
 */
export const isPaidFor = (plan: Plan, held: Entitlement[]): boolean =>
  held.some((each) =>
    plan.interval === null
      ? isEntitled(each) && each.plan === plan.name && each.endsAt === null
      : isLiveSubscription(each) && each.renewsAt !== null,
  );

/** The transfers of one user, newest first. */
export async function listTransfers(userId: string): Promise<Transfer[]> {
  const rows = await database().shopTransfer.findMany({
    where: { userId },
    select: COLUMNS,
    orderBy: { requestedAt: 'desc' },
    take: 100,
  });
  return rows.map(toTransfer);
}

/** The entitlements of a user's paid transfers, the one that lasts longest first. */
export async function listTransferEntitlements(userId: string, now: Date): Promise<Entitlement[]> {
  const paid = await database().shopTransfer.findMany({
    where: { userId, paidAt: { not: null } },
    select: { plan: true, paidAt: true },
    orderBy: { paidAt: 'desc' },
    take: 100,
  });
  return entitlementsOf(paid, now);
}

/**
 * What transfers entitle to, one entitlement for each plan: from the first payment on, and for as long as all of them paid for. A
 * period that is paid early begins when the one before it ends. Leaves out plans that are no longer in `plans.ts`, whose periods are
 * unknown.
 */
export function entitlementsOf(transfers: Array<Pick<Transfer, 'plan' | 'paidAt'>>, now: Date): Entitlement[] {
  const paid = new Map<Plan, { start: Date; periods: number }>();
  const payments = transfers.flatMap(({ plan, paidAt }) => (paidAt ? [{ plan: findPlan(plan), paidAt }] : []));
  for (const { plan, paidAt } of payments.sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime())) {
    if (!plan) continue;
    const earlier = paid.get(plan);
    const until = earlier && transferUntil(plan, earlier.start, earlier.periods);
    const continues = earlier && until && until > paidAt;
    paid.set(plan, continues ? { ...earlier, periods: earlier.periods + 1 } : { start: paidAt, periods: 1 });
  }
  return [...paid]
    .map(([plan, { start, periods }]) => [plan, transferUntil(plan, start, periods)] as const)
    .sort(([, a], [, b]) => (b?.getTime() ?? NEVER) - (a?.getTime() ?? NEVER))
    .map(([{ name: plan }, endsAt]) => {
      const status = endsAt && endsAt <= now ? 'ended' : 'active';
      return { plan, status, renewsAt: null, endsAt, source: 'grant', price: null };
    });
}

const NEVER = Number.MAX_SAFE_INTEGER;

const PAGE_SIZE = 25;

/** A page of all transfers, newest first. */
export async function listAllTransfers({ after }: { after: PageCursor | null }): Promise<Page<Transfer>> {
  const rows = await database().shopTransfer.findMany({
    where: after
      ? { requestedAt: { lte: after.at }, OR: [{ requestedAt: { lt: after.at } }, { invoiceId: { lt: after.id } }] }
      : {},
    select: COLUMNS,
    orderBy: [{ requestedAt: 'desc' }, { invoiceId: 'desc' }],
    take: PAGE_SIZE + 1,
  });
  return toPage(rows.map(toTransfer), PAGE_SIZE, ({ requestedAt, invoiceId }) => ({ at: requestedAt, id: invoiceId }));
}

const COLUMNS = {
  invoiceId: true,
  userId: true,
  plan: true,
  amount: true,
  currency: true,
  requestedAt: true,
  paidAt: true,
} as const;

const toTransfer = ({ amount, ...row }: Omit<Transfer, 'amount'> & { amount: bigint }): Transfer => ({
  ...row,
  amount: Number(amount),
});

/** Records the payment: stores the plan and the sale's report together, then delivers the report. Logs what is paid for twice. */
export async function markTransferPaid(invoiceId: string, now: Date): Promise<void> {
  const marked = await database().$transaction(async (transaction) => {
    const [transfer] = await transaction.shopTransfer.updateManyAndReturn({
      where: { invoiceId, paidAt: null },
      data: { paidAt: now, openFor: null },
    });
    if (!transfer) return null;
    const { userId: customerExternalId, amount, currency } = transfer;
    const sale = { kind: 'sale', customerExternalId, amount: Number(amount), currency, invoiceId } as const;
    await enqueue(saleEntryId(invoiceId), sale, now, { db: transaction });
    return transfer;
  });
  if (marked) await reportSecondPayment(marked);
  await deliverEntry(saleEntryId(invoiceId));
}

/** Logs a transfer for what the customer has meanwhile paid by card, one of which an operator has to return. */
async function reportSecondPayment(transfer: Pick<Transfer, 'userId' | 'plan' | 'invoiceId'>): Promise<void> {
  const { userId, plan: name, invoiceId: second } = transfer;
  const plan = findPlan(name);
  if (!plan || !isPaidFor(plan, await listEntitlements(userId))) return;
  log.error('fulfil: a customer pays twice', { customer: await readCustomer(userId), plan: name, second });
}

/**
 * When the last of the periods that begin at `start` ends: each lasts a calendar month or year, in UTC; `null` for a lifetime plan. A
 * day that the last month lacks becomes its last day: 31 January + 1 month is 28 or 29 February, and + 2 months 31 March.
 */
export function transferUntil(plan: Plan, start: Date, periods = 1): Date | null {
  if (plan.interval === null) return null;
  const until = new Date(start);
  until.setUTCMonth(start.getUTCMonth() + periods * (plan.interval === 'month' ? 1 : 12));
  if (until.getUTCDate() !== start.getUTCDate()) until.setUTCDate(0); // it ran over into the month after
  return until;
}
