// Collecting an invoice: a card is charged immediately, a bank debit clears days later.
import { ApiError, invalidRequest } from '../errors';
import { hasEnded } from '../objects/subscriptions';
import { renewsOrEndsAt } from '../pricing/periods';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { intentFor, invoiceOf, isAwaited, isProcessing, linkIntent, paymentIntentOf } from './invoice-payments';
import {
  announceStatus,
  attemptOrEnd,
  markUncollectible,
  recordFailure,
  recordPayment,
  subscriptionOf,
  voidInvoice,
} from './invoices';
import { behaviorOf } from './payment-methods';
import { askForAuthentication, chargeCard, clearDebit, createIntent, debitAccount } from './payments';

type Invoice = ApiObject<'invoice'>;
type Subscription = ApiObject<'subscription'>;

type How = {
  method?: string | null;
  /** A payment that has to be confirmed with the bank (3-D Secure) waits for the customer; otherwise it is declined. */
  canWait?: boolean;
};

/** Collects by the given method, else by the subscription's or the customer's. */
export async function collectInvoice(
  store: Store,
  subscription: Subscription | null,
  invoice: Invoice,
  { method: chosen = null, canWait = true }: How = {},
): Promise<void> {
  if (invoice.amount_due === 0) return recordPayment(store, subscription, invoice, 'other means');
  const methodId = chosen ?? (await defaultMethod(store, subscription, invoice.customer ?? ''));
  const method = methodId ? await store.get('payment_method', methodId, 'payment_method') : null;
  const intent = await intentOf(store, invoice);
  if (method?.type === 'us_bank_account') {
    await debitAccount(store, intent, method);
    return awaitInvoiceDebit(store, subscription, invoice, intent);
  }
  const behavior = method && (await behaviorOf(store, method));
  const failure = behavior?.laterFailure ?? null;
  if (method && failure && behavior?.needsAuthentication && canWait) {
    intent.payment_method = method.id;
    await askForAuthentication(store, intent);
    await recordFailure(store, subscription, invoice, 'waits for the customer');
    store.emit('invoice.payment_action_required', invoice);
    return;
  }
  if (method) await chargeCard(store, intent, method, failure);
  if (method && !failure) await recordPayment(store, subscription, invoice, 'its payment');
  else await recordFailure(store, subscription, invoice);
}

/** Collects an invoice that its subscription has issued. While collection is paused, it is void or uncollectible at once. */
export async function collectUnlessPaused(store: Store, subscription: Subscription, invoice: Invoice): Promise<void> {
  const end = subscription.pause_collection?.resumes_at;
  if (end && end <= store.now) subscription.pause_collection = null; // the pause is over
  if (!subscription.pause_collection) await collectInvoice(store, subscription, invoice);
  else if (subscription.pause_collection.behavior === 'void') await voidInvoice(store, invoice);
  else await markUncollectible(store, invoice);
}

async function awaitInvoiceDebit(
  store: Store,
  subscription: Subscription | null,
  invoice: Invoice,
  intent: ApiObject<'payment_intent'>,
): Promise<void> {
  await awaitDebit(store, intent, { session: null, invoice: invoice.id });
  if (!subscription || hasEnded(subscription)) return;
  // A first debit counts until the bank refuses it. While past due, the subscription waits for the bank, or for its end.
  if (subscription.status === 'incomplete') subscription.status = 'active';
  const isOverdue = subscription.status === 'past_due';
  await store.save(subscription, {
    dueAt: isOverdue ? attemptOrEnd(subscription, null) : renewsOrEndsAt(subscription),
  });
}

/** Updates the invoice of an intent that was confirmed directly, as the browser does, and the invoice's subscription. */
export async function updateInvoiceOf(store: Store, intent: ApiObject<'payment_intent'>): Promise<void> {
  const id = await invoiceOf(store, intent.id);
  const invoice = id ? await store.get('invoice', id) : null;
  if (!invoice || !isUnpaid(invoice)) return;
  const subscription = await subscriptionOf(store, invoice);
  const before = subscription && structuredClone(subscription);
  if (intent.status === 'processing') await awaitInvoiceDebit(store, subscription, invoice, intent);
  else if (intent.status !== 'succeeded') return recordFailure(store, subscription, invoice);
  else await recordPayment(store, subscription, invoice, 'its payment');
  if (!subscription || !before) return;
  if (subscription.payment_settings?.save_default_payment_method === 'on_subscription') {
    subscription.default_payment_method = intent.payment_method;
    await store.save(subscription);
  }
  store.emitUpdate('customer.subscription.updated', before, subscription);
}

/** Pays what is overdue after a new card was given. A processing debit is left to clear. */
export async function retryOpenInvoice(store: Store, subscription: Subscription): Promise<void> {
  const invoice = await overdueInvoice(store, subscription);
  if (!invoice || (await isProcessing(store, invoice))) return;
  await collectInvoice(store, subscription, invoice);
  announceStatus(store, subscription, 'past_due');
}

/** The open invoice of a subscription that is past due, or null. */
export async function overdueInvoice(store: Store, subscription: Subscription): Promise<Invoice | null> {
  if (subscription.status !== 'past_due' || !subscription.latest_invoice) return null;
  const invoice = await store.get('invoice', subscription.latest_invoice);
  return invoice.status === 'open' ? invoice : null;
}

/** Saves a subscription that is past due with the time of the next attempt, or of its end. */
export async function saveOverdue(store: Store, subscription: Subscription): Promise<void> {
  const invoice = await overdueInvoice(store, subscription);
  const isWaiting = invoice !== null && (await isAwaited(store, invoice));
  const attempt = isWaiting ? null : (invoice?.next_payment_attempt ?? store.now); // after the last attempt, it is canceled
  await store.save(subscription, invoice ? { dueAt: attemptOrEnd(subscription, attempt) } : {});
}

export async function defaultMethod(
  store: Store,
  subscription: Subscription | null,
  customer: string,
): Promise<string | null> {
  const owner = await store.find('customer', customer);
  if (!owner) return null; // deleted, with its payment methods
  return subscription?.default_payment_method ?? owner.invoice_settings.default_payment_method;
}

const DESCRIPTIONS: Record<string, string> = {
  subscription_create: 'Subscription creation',
  subscription_cycle: 'Subscription update',
  subscription_update: 'Subscription change',
};

/** The intent of an earlier attempt at this invoice, else a new one. A subscription's payment method is kept for later. */
export async function intentOf(store: Store, invoice: Invoice): Promise<ApiObject<'payment_intent'>> {
  const earlier = await intentFor(store, invoice);
  if (earlier) return Object.assign(earlier, { amount: invoice.amount_remaining });
  const intent = await createIntent(store, {
    amount: invoice.amount_remaining,
    currency: invoice.currency,
    customer: invoice.customer,
    description: DESCRIPTIONS[invoice.billing_reason ?? ''] ?? 'Payment for Invoice',
    metadata: {},
    setupFutureUsage: invoice.parent?.subscription_details ? 'off_session' : undefined,
  });
  await linkIntent(store, invoice, intent.id);
  return intent;
}

/** The refusal of the last attempt to collect an invoice; null while a debit has not cleared. */
export async function declineOf(
  store: Store,
  invoice: string,
  asked: 'subscription' | 'invoice' = 'subscription',
): Promise<ApiError | null> {
  const paymentIntent = await paymentIntentOf(store, invoice);
  const { last_payment_error: error, status } = await store.get('payment_intent', paymentIntent ?? '');
  if (status === 'processing') return null;
  if (status === 'requires_action') return actionRequired(asked);
  if (!error) return invalidRequest(NO_METHOD, { code: 'resource_missing' });
  const { message = 'Your card was declined.', code = 'card_declined', decline_code } = error;
  return new ApiError(402, { type: 'card_error', message, code, ...(decline_code && { decline_code }) });
}

const actionRequired = (asked: 'subscription' | 'invoice'): ApiError =>
  new ApiError(402, {
    type: 'card_error',
    code: `${asked}_payment_intent_requires_action`,
    message: `Payment for this ${asked} requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with ${asked === 'invoice' ? 'the invoice' : '`subscription.latest_invoice`'}.`,
  });

export const NO_METHOD =
  'This customer has no attached payment source or default payment method. Please consider adding a default payment method.';

/** What waits for a debit to clear. */
type Waiting = { session: string | null; invoice: string | null };

export async function awaitDebit(store: Store, intent: ApiObject<'payment_intent'>, waiting: Waiting): Promise<void> {
  await store.save(intent, { internal: waiting });
}

/** The debit clears or fails: so do its intent, the invoice and the Checkout Session that wait for it. */
export async function runDueDebit(store: Store, intent: ApiObject<'payment_intent'>): Promise<void> {
  const waiting = await store.internal<Partial<Waiting>>(intent.id);
  const isPaid = await clearDebit(store, intent);
  if (waiting.invoice) await concludeInvoice(store, await store.get('invoice', waiting.invoice), isPaid);
  if (waiting.session) await concludeSession(store, await store.get('checkout.session', waiting.session), isPaid);
}

const isUnpaid = ({ status }: Invoice): boolean => status === 'open' || status === 'uncollectible';

async function concludeInvoice(store: Store, invoice: Invoice, isPaid: boolean): Promise<void> {
  if (!isUnpaid(invoice)) return;
  const subscription = await subscriptionOf(store, invoice);
  const before = subscription?.status;
  if (isPaid) await recordPayment(store, subscription, invoice, 'its payment');
  else await recordFailure(store, subscription, invoice);
  announceStatus(store, subscription, before);
}

async function concludeSession(store: Store, session: ApiObject<'checkout.session'>, isPaid: boolean): Promise<void> {
  if (isPaid) session.payment_status = 'paid';
  await store.save(session);
  store.emit(isPaid ? 'checkout.session.async_payment_succeeded' : 'checkout.session.async_payment_failed', session);
}
