// Invoices: issued, paid, or not paid. What a customer's balance covers is not collected.
import { balanceIn, buildBalanceTransaction } from '../objects/customers';
import { buildInvoice, type InvoiceLine, type NewInvoice } from '../objects/invoices';
import { hasEnded } from '../objects/subscriptions';
import { nextChangeAt } from '../pricing/periods';
import type { Store } from '../store';
import { invoiceUrl } from '../urls';
import type { ApiObject } from '../wire';
import type { Discount } from './discounts';
import { cancelPayment, completePayment, intentFor } from './invoice-payments';
import { cancelIntent, isCancelable } from './payments';
import { pendingItems, pendingLine } from './pending-items';

type Invoice = ApiObject<'invoice'>;
type Subscription = ApiObject<'subscription'>;

const DAY = 86_400;
/**
 * Dunning: a failed payment is retried on the third, fifth and seventh day after the first failure. When the last
 * attempt fails, the subscription is canceled.
 */
const DAYS_UNTIL_RETRY = [3, 2, 2];

/** Writes an invoice and finalizes it at once. The customer's balance applies to subscriptions' invoices in its currency. */
export async function issueInvoice(store: Store, given: NewInvoice): Promise<Invoice> {
  const { customer } = given;
  const { config, now } = store;
  const issuedBy = { seller: config.appName, url: (id: string) => invoiceUrl(config, id), now };
  const balance = given.subscription ? balanceIn(given.currency, customer) : 0;
  const invoice = await store.insert(buildInvoice(given, balance, issuedBy));
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1;
  if (!customer.currency || (given.subscription && customer.balance === 0)) customer.currency = given.currency;
  await store.save(customer);
  store.emit('invoice.created', invoice);
  store.emit('invoice.finalized', invoice);
  const owed = invoice.ending_balance ?? 0;
  const amount = owed - invoice.starting_balance;
  const type = owed > 0 && amount > 0 ? 'invoice_too_small' : 'applied_to_invoice';
  const change = { amount, currency: given.currency, type, invoice: invoice.id } as const;
  if (amount !== 0) await changeBalance(store, customer, change);
  return invoice;
}

type BalanceChange = Omit<Parameters<typeof buildBalanceTransaction>[0], 'customer' | 'endingBalance'>;

/** Changes a customer's balance: negative amounts are credit for what is invoiced next, positive ones are owed with it. */
export async function changeBalance(
  store: Store,
  customer: ApiObject<'customer'>,
  change: BalanceChange,
): Promise<ApiObject<'customer_balance_transaction'>> {
  const before = customer.balance;
  customer.balance += change.amount;
  customer.currency ??= change.currency;
  await store.save(customer);
  store.emit('customer.updated', customer, { balance: before });
  return store.insert(
    buildBalanceTransaction({ ...change, customer: customer.id, endingBalance: customer.balance }, store.now),
  );
}

/** Stripe counts the first attempt and its own retries. A manual attempt does not change the retry schedule. */
const isCounted = ({ attempt_count: count, next_payment_attempt: next }: Invoice, now: number): boolean =>
  count === 0 || (next !== null && next <= now);

/** Sets the customer's `delinquent`: true after an automatic payment fails, false once the invoice is paid or given up. */
export async function setDelinquent(store: Store, id: string | null, delinquent: boolean): Promise<void> {
  const customer = await store.find('customer', id ?? '');
  if (!customer || customer.delinquent === delinquent) return;
  await store.update('customer.updated', customer, () => Object.assign(customer, { delinquent }));
}

type PaidBy = 'its payment' | 'other means';

/** Marks an invoice as paid: by its PaymentIntent, or otherwise if nothing was due or it was paid elsewhere. */
export async function markPaid(store: Store, invoice: Invoice, paidBy: PaidBy): Promise<void> {
  if (paidBy === 'its payment' && isCounted(invoice, store.now)) invoice.attempt_count += 1;
  invoice.attempted = true;
  invoice.auto_advance = false;
  invoice.status = 'paid';
  invoice.status_transitions.paid_at = store.now;
  invoice.next_payment_attempt = null;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.webhooks_delivered_at = store.now;
  await store.save(invoice);
  if (paidBy === 'its payment') await completePayment(store, invoice);
  else await cancelPayment(store, invoice);
  await setDelinquent(store, invoice.customer, false);
  store.emit('invoice.paid', invoice);
  store.emit('invoice.payment_succeeded', invoice);
}

/** The invoice is paid: a subscription that was past due or incomplete is active again. */
export async function recordPayment(
  store: Store,
  subscription: Subscription | null,
  invoice: Invoice,
  paidBy: PaidBy,
): Promise<void> {
  await markPaid(store, invoice, paidBy);
  if (!subscription || hasEnded(subscription)) return;
  if (subscription.status === 'past_due' || subscription.status === 'incomplete') subscription.status = 'active';
  await store.save(subscription, { dueAt: nextChangeAt(subscription, store.now) });
}

/**
 * An attempt failed: the invoice stays as it is. The subscription of an open one is past due, and retried unless the payment
 * waits for the customer; one that is incomplete or has ended is neither. If the customer does not confirm it, the retries begin.
 */
export async function recordFailure(
  store: Store,
  subscription: Subscription | null,
  invoice: Invoice,
  reason: 'failed' | 'waits for the customer' = 'failed',
): Promise<void> {
  const isCountedNow = isCounted(invoice, store.now);
  const hasWaited = invoice.next_payment_attempt === null && invoice.auto_advance === true;
  if (!isCountedNow && !hasWaited) return store.emit('invoice.payment_failed', invoice);
  if (isCountedNow) invoice.attempt_count += 1;
  const isRunning = subscription && subscription.status !== 'incomplete' && !hasEnded(subscription);
  const isOverdue = invoice.status === 'open' && isRunning;
  const waits = reason === 'waits for the customer';
  const days = DAYS_UNTIL_RETRY[invoice.attempt_count - 1];
  const nextAttempt = days === undefined || !isOverdue || waits ? null : store.now + days * DAY;
  invoice.attempted = true;
  invoice.next_payment_attempt = nextAttempt;
  await store.save(invoice);
  store.emit('invoice.payment_failed', invoice);
  if (!isOverdue) return;
  await setDelinquent(store, invoice.customer, true);
  subscription.status = 'past_due';
  await store.save(subscription, { dueAt: attemptOrEnd(subscription, waits ? null : (nextAttempt ?? store.now)) });
}

/** When something next happens to a subscription that is past due: the next attempt at its invoice, or its end. */
export function attemptOrEnd({ cancel_at: end }: Subscription, attempt: number | null): number | null {
  return end === null ? attempt : Math.min(end, attempt ?? end);
}

/** Reports a subscription whose status has changed with its invoice. */
export function announceStatus(store: Store, subscription: Subscription | null, before: string | undefined): void {
  if (!subscription || subscription.status === before) return;
  store.emit('customer.subscription.updated', subscription, { status: before });
}

/** The invoice stays open, but no attempt is made to collect it. */
export async function stopCollection(store: Store, invoice: Invoice): Promise<void> {
  const stopped = { auto_advance: false, next_payment_attempt: null };
  await store.update('invoice.updated', invoice, () => Object.assign(invoice, stopped));
}

/** Voids an invoice: its payment is canceled, and the credit that was applied to it is returned. */
export async function voidInvoice(store: Store, invoice: Invoice): Promise<Invoice> {
  invoice.status = 'void';
  invoice.status_transitions.voided_at = store.now;
  invoice.next_payment_attempt = null;
  await store.save(invoice);
  store.emit('invoice.voided', invoice);
  await cancelPayment(store, invoice);
  const intent = await intentFor(store, invoice);
  if (intent && isCancelable(intent)) await cancelIntent(store, intent, 'void_invoice');
  const customer = await store.find('customer', invoice.customer ?? '');
  const amount = invoice.starting_balance - (invoice.ending_balance ?? 0);
  const change = { amount, currency: invoice.currency, type: 'unapplied_from_invoice', invoice: invoice.id } as const;
  if (customer && amount !== 0) await changeBalance(store, customer, change);
  return invoice;
}

/** The seller gives up an overdue invoice: its subscription is active again, unless an earlier one is still open. */
export async function endOverdue(store: Store, invoice: Invoice): Promise<void> {
  const subscription = await subscriptionOf(store, invoice);
  if (subscription?.status !== 'past_due' || subscription.latest_invoice !== invoice.id) return;
  const parent = { subscription_details: { subscription: subscription.id } };
  if ((await store.all('invoice', { status: 'open', parent })).length > 0) return;
  subscription.status = 'active';
  await store.save(subscription, { dueAt: nextChangeAt(subscription, store.now) });
  announceStatus(store, subscription, 'past_due');
}

export async function markUncollectible(store: Store, invoice: Invoice): Promise<Invoice> {
  invoice.status = 'uncollectible';
  invoice.status_transitions.marked_uncollectible_at = store.now;
  invoice.next_payment_attempt = null;
  await store.save(invoice);
  store.emit('invoice.marked_uncollectible', invoice);
  return invoice;
}

/** The subscription that an invoice is for, or null. */
export async function subscriptionOf(store: Store, { parent }: Invoice): Promise<Subscription | null> {
  const id = parent?.subscription_details?.subscription;
  return id ? store.get('subscription', id) : null;
}

/** Issues an invoice with the given lines and all pending items. */
async function issueWithPendingItems(store: Store, given: NewInvoice): Promise<Invoice> {
  const { customer, subscription, currency } = given;
  const owner = { customer: customer.id, subscription: subscription?.id ?? null, currency };
  const items = await pendingItems(store, owner);
  const waiting: InvoiceLine[] = [];
  for (const item of items) waiting.push(await pendingLine(store, item));
  const invoice = await issueInvoice(store, { ...given, lines: [...waiting, ...given.lines] });
  for (const item of items) await store.save({ ...item, invoice: invoice.id });
  return invoice;
}

/** Issues an invoice of a subscription, with its discount: a discount of duration `once` is then used up. */
export async function invoiceSubscription(
  store: Store,
  subscription: Subscription,
  given: Pick<NewInvoice, 'customer' | 'billingReason' | 'periodStart' | 'lines'> & { discount: Discount | null },
): Promise<Invoice> {
  const { currency, automatic_tax: tax } = subscription;
  const owner = { subscription, currency, metadata: {}, hasAutomaticTax: tax.enabled };
  const invoice = await issueWithPendingItems(store, { ...given, ...owner });
  const isUsedUp = given.discount?.coupon.duration === 'once' && invoice.discounts.length > 0;
  if (isUsedUp) subscription.discounts = [];
  subscription.latest_invoice = invoice.id;
  await store.save(subscription);
  return invoice;
}
