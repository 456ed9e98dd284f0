import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { log } from '../log';
import { type Change, changeTotals } from './change-totals';
import { type Client, type FactScope, loadFacts } from './fact-store';
import { decidePayment, decideReturns, type Payment, type PaymentFact, paymentKeys, splitPayments } from './payment';
import { restateReturns, type SaleRow } from './restate-returns';
import { removeUnattributed, withdrawUnattributed } from './unattributed';

/** With `programId`, only this program's sales. */
type SaleScope = FactScope & { programId?: string };

const { sql } = Prisma;

/**
 * Updates the sales of a payment to match its facts: one sale, one key, one amount, lowered by refunds and disputes.
 * Call it after a fact or a sale is committed: it locks the sales and then reads the facts, so the last writer sees everything.
 * Safe to repeat.
 */
export async function alignSales(scope: SaleScope, keys: string[], now: Date): Promise<void> {
  for (let known = keys, isDone = false; !isDone; ) {
    const removed: RemovedSale[] = [];
    await database().$transaction(async (tx) => {
      const sales = await lockSales(tx, scope, known);
      const facts = sales.length > 0 ? await loadFacts(scope, known, tx) : [];
      const found = [...new Set([...known, ...paymentKeys(facts)])];
      isDone = found.length === known.length; // otherwise a link arrived, and its other sales have to be locked too
      known = found;
      if (!isDone) return;
      const payments = decideAll(facts);
      const changes: Change[] = [];
      for (const programId of new Set(sales.map(({ program_id }) => program_id))) {
        let open = sales.filter(({ program_id }) => program_id === programId);
        for (const payment of payments) {
          const keys = payments.length > 1 ? paymentKeys(payment.own) : known;
          const own = open.filter(({ transaction_id }) => keys.includes(transaction_id));
          if (own.length === 0) continue;
          open = open.filter((sale) => !own.includes(sale)); // a PaymentIntent's own key is the first invoice's
          changes.push(...(await removeUnattributed(tx, programId, keys)));
          removed.push(...(await alignOneSale(tx, changes, own, payment, now)));
        }
      }
      await changeTotals(tx, changes, now); // of all programs at once: sorted, so that two payments cannot block each other
    });
    for (const sale of removed) log.info('a sale was removed', sale);
  }
}

/**
 * Applies a payment's facts to a path B sale, in the account and mode in which the sale was recorded.
 * Call it for an existing sale too: a crash may have happened between recording it and this call.
 * @returns whether the sale stands; false if the payment was recorded under another of its keys
 */
export async function alignReportedSale(programId: string, transactionId: string, now: Date): Promise<boolean> {
  const sale = await database().sale.findUnique({
    where: { programId_test_transactionId: { programId, test: false, transactionId } },
    select: { id: true, paymentAccountId: true, paymentMode: true },
  });
  if (!sale) return true;
  const accountIds = sale.paymentAccountId ? ['', sale.paymentAccountId] : [''];
  if (!sale.paymentMode) {
    await removeKept({ programId, accountIds }, transactionId, now);
    return true;
  }
  await alignSales({ accountIds, livemode: sale.paymentMode === 'live', programId }, [transactionId], now);
  return (await database().sale.count({ where: { id: sale.id } })) > 0;
}

/** While no account is connected, no event changes a sale, but a payment that was kept as not attributed is this sale. */
async function removeKept(
  { programId, accountIds }: { programId: string; accountIds: string[] },
  transactionId: string,
  now: Date,
): Promise<void> {
  const scopes = [true, false].map((livemode) => ({ accountIds, livemode }));
  const facts = await Promise.all(scopes.map((scope) => loadFacts(scope, [transactionId])));
  const keys = [transactionId, ...paymentKeys(facts.flat())];
  await withdrawUnattributed(programId, keys, now);
}

// By the account and mode in which sales were recorded, whatever the program is connected to now. The endpoint's own account
// belongs to every program (docs/decisions/0007); next to another account, it means sales from before that one was connected.
const lockSales = (tx: Client, { accountIds, livemode, programId }: SaleScope, keys: string[]) => {
  const isOwnAccount = accountIds.every((accountId) => accountId === '');
  return tx.$queryRaw<SaleRow[]>`
    SELECT s.id, s.program_id, s.transaction_id, s.customer_key, s.click_id, s.amount_cents, s.refunded_cents, s.currency,
      s.subscription_id, s.is_recurring, s.source, s.occurred_at, s.created_at,
      (SELECT code FROM service_partners a WHERE a.id = s.partner_id) AS partner_code
    FROM service_sales s
    WHERE s.transaction_id = ANY(${keys}) AND NOT s.test AND s.payment_mode = ${livemode ? 'live' : 'test'}
      AND (${isOwnAccount} OR coalesce(s.payment_account_id, '') = ANY(${accountIds}))
      AND s.program_id = coalesce(${programId ?? null}, s.program_id)
    ORDER BY s.id FOR UPDATE OF s`;
};

/** A payment, decided from its own facts, and what it shares with others of the same PaymentIntent. */
type Decided = {
  own: PaymentFact[];
  payment: Payment | null;
  /** The facts of all of them, and the total that was paid: returned money lowers each sale in proportion. */
  facts: PaymentFact[];
  paidCents: number;
  /** The invoice that this share belongs to; null if there is only one payment. */
  invoiceOfShare: string | null;
};

function decideAll(facts: PaymentFact[]): Decided[] {
  const payments = splitPayments(facts).map((own) => ({ own, payment: decidePayment(own) }));
  const paidCents = payments.reduce((sum, { payment }) => sum + (payment?.paidCents ?? 0), 0);
  return payments.map(({ own, payment }) => {
    const invoiceOfShare = payments.length > 1 && payment ? payment.transactionId : null;
    return { own, payment, facts, paidCents, invoiceOfShare };
  });
}

/** For the log, since no record of it is left. `remaining_sale_id` is the payment's other sale, if there is one. */
type RemovedSale = { sale_id: string; transaction_id: string; remaining_sale_id: string | null };

const describeRemoved = (sales: SaleRow[], remaining: string | null): RemovedSale[] =>
  sales.map(({ id, transaction_id }) => ({ sale_id: id, transaction_id, remaining_sale_id: remaining }));

/** @returns the sales that it removed, under the keys that they had */
async function alignOneSale(
  tx: Client,
  changes: Change[],
  sales: SaleRow[],
  decided: Decided,
  now: Date,
): Promise<RemovedSale[]> {
  const [sale, ...others] = [...sales].sort((a, b) => a.created_at.getTime() - b.created_at.getTime());
  if (!sale) return [];
  const removed: SaleRow[] = [];
  const { payment, facts, paidCents } = decided;
  // One payment was reported under two of its keys. But two invoices reported by path B are two payments.
  const isInvoice = ({ transaction_id }: SaleRow) => facts.some(({ invoiceId }) => invoiceId === transaction_id);
  for (const other of others) {
    if (other.source !== 'payment' && isInvoice(sale) && isInvoice(other)) continue;
    await removeSale(tx, changes, other);
    removed.push(other);
  }
  let otherId: string | null = null;
  let restated: SaleRow | null = sale; // path B: the integrator decides the sale's key and amount
  if (sale.source === 'payment' && payment) {
    otherId = await findOtherSale(tx, sale, sales, payment, decided);
    restated = otherId ? null : await restateSale(tx, changes, sale, payment);
  }
  if (restated && restated.amount_cents > 0n) {
    const returns = decideReturns(Number(restated.amount_cents), paidCents, facts);
    await restateReturns(tx, changes, restated, decided, returns, now);
    return describeRemoved(removed, sale.id);
  }
  // The payment is another sale, or none, because all of it was paid from credit (docs/decisions/0007).
  const none = restated ?? sale;
  await restateReturns(tx, changes, none, decided, { refundedCents: 0, entries: [] }, now);
  await removeSale(tx, changes, none);
  return describeRemoved([...removed, sale], otherId);
}

const isFeedEntryOf = (sale: SaleRow) => sql`
  program_id = ${sale.program_id} AND kind IN ('sale', 'renewal') AND created_at = ${sale.created_at} AND NOT test
    AND transaction_id = ${sale.transaction_id}`;

/** A sale's contribution to the totals. */
const saleChange = (sale: SaleRow, sign: 1 | -1): Change => ({
  programId: sale.program_id,
  partnerCode: sale.partner_code,
  currency: sale.currency,
  occurredAt: sale.occurred_at,
  sales: sign,
  renewals: sign * Number(sale.is_recurring),
  soldCents: sale.amount_cents * BigInt(sign),
});

/** Its refunds stay: they are entries of the payment, counted by `restateReturns`. */
async function removeSale(tx: Client, changes: Change[], sale: SaleRow): Promise<void> {
  await tx.$executeRaw`DELETE FROM service_sales WHERE id = ${sale.id}`;
  await tx.$executeRaw`DELETE FROM service_events WHERE ${isFeedEntryOf(sale)}`;
  changes.push(saleChange(sale, -1));
}

/**
 * The sale that has the payment's key, or is this payment under another one of its keys: recorded in another account or mode, or
 * before any account was connected, so that `lockSales` does not return it. @returns its ID, or null
 */
async function findOtherSale(
  tx: Client,
  { id, program_id }: SaleRow,
  locked: SaleRow[],
  { transactionId }: Payment,
  { own, invoiceOfShare }: Decided,
): Promise<string | null> {
  const keys = invoiceOfShare === null ? paymentKeys(own) : [transactionId];
  const [other] = await tx.$queryRaw<Array<{ id: string }>>`
    SELECT id FROM service_sales
    WHERE program_id = ${program_id} AND NOT test AND transaction_id = ANY(${keys}) AND id <> ${id}
      AND (transaction_id = ${transactionId} OR NOT id = ANY(${locked.map((sale) => sale.id)}))
    ORDER BY transaction_id <> ${transactionId} LIMIT 1`;
  return other?.id ?? null;
}

async function restateSale(tx: Client, changes: Change[], sale: SaleRow, payment: Payment): Promise<SaleRow> {
  const { transactionId, currency, isRecurring, subscriptionId, occurredAt } = payment;
  const amountCents = BigInt(payment.amountCents);
  const isSame =
    transactionId === sale.transaction_id &&
    amountCents === sale.amount_cents &&
    currency === sale.currency &&
    isRecurring === sale.is_recurring &&
    subscriptionId === sale.subscription_id &&
    occurredAt.getTime() === sale.occurred_at.getTime();
  if (isSame) return sale;
  const change = sql`
    transaction_id = ${transactionId}, amount_cents = ${amountCents}, currency = ${currency},
    occurred_at = ${occurredAt}::timestamptz`;
  await tx.$executeRaw`
    UPDATE service_sales SET ${change}, is_recurring = ${isRecurring}, subscription_id = ${subscriptionId}
    WHERE id = ${sale.id}`;
  await tx.$executeRaw`
    UPDATE service_events SET ${change}, kind = ${isRecurring ? 'renewal' : 'sale'} WHERE ${isFeedEntryOf(sale)}`;
  const restated = {
    ...sale,
    transaction_id: transactionId,
    amount_cents: amountCents,
    currency,
    is_recurring: isRecurring,
    occurred_at: occurredAt,
  };
  changes.push(saleChange(sale, -1), saleChange(restated, 1));
  return restated;
}
