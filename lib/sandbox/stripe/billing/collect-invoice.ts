import 'server-only';
import { emitEvent } from '../emit-event';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { CardFailure } from './cards';
import { chargeCard, createPaymentIntent } from './charge-card';
import { failInvoice, settleInvoice } from './issue-invoice';
import { periodEnd } from './subscription-state';

const DAY = 86_400;
const DAYS_BETWEEN_ATTEMPTS = 3;
const MAX_ATTEMPTS = 4;

/**
 * Charges the subscription's card for an open invoice while its owner is not there. Paid: the subscription is active.
 * Declined: it is past due and is tried again every three days; after the fourth attempt Stripe gives up and cancels it
 * (the account's default setting).
 * @returns whether it was paid
 */
export async function collectInvoice(
  store: Store,
  subscription: ApiObject<'subscription'>,
  invoice: ApiObject<'invoice'>,
): Promise<boolean> {
  if (invoice.amount_due === 0) {
    await settleInvoice(store, invoice, null);
    return true;
  }
  const method = subscription.default_payment_method
    ? await store.get('payment_method', subscription.default_payment_method)
    : null;
  const intent = await intentOf(store, invoice);
  const { laterFailure } = method
    ? await store.internal<{ laterFailure: CardFailure | null }>(method.id)
    : { laterFailure: null };
  if (method) await chargeCard(store, intent, method, laterFailure);
  if (method && !laterFailure) {
    await settleInvoice(store, invoice, intent.id);
    if (subscription.status === 'past_due') subscription.status = 'active';
    await store.save(subscription, { dueAt: periodEnd(subscription) });
    return true;
  }
  const isLast = invoice.attempt_count + 1 >= MAX_ATTEMPTS;
  const nextAttempt = isLast ? null : store.now + DAYS_BETWEEN_ATTEMPTS * DAY;
  await failInvoice(store, invoice, nextAttempt);
  subscription.status = 'past_due';
  await store.save(subscription, { dueAt: nextAttempt ?? store.now });
  return false;
}

/** Pays what is overdue, when a new card has been given. */
export async function retryOpenInvoice(store: Store, subscription: ApiObject<'subscription'>): Promise<void> {
  if (subscription.status !== 'past_due' || !subscription.latest_invoice) return;
  const invoice = await store.get('invoice', subscription.latest_invoice);
  if (invoice.status !== 'open') return;
  const isPaid = await collectInvoice(store, subscription, invoice);
  if (isPaid) emitEvent(store, 'customer.subscription.updated', subscription, { status: 'past_due' });
}

/** The intent of an earlier attempt at this invoice, else a new one. */
async function intentOf(store: Store, invoice: ApiObject<'invoice'>): Promise<ApiObject<'payment_intent'>> {
  const { paymentIntent } = await store.internal<{ paymentIntent?: string }>(invoice.id);
  if (paymentIntent) return store.get('payment_intent', paymentIntent);
  const isCycle = invoice.billing_reason === 'subscription_cycle';
  const intent = await createPaymentIntent(store, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: typeof invoice.customer === 'string' ? invoice.customer : null,
    description: isCycle ? 'Subscription update' : 'Subscription change',
    metadata: {},
  });
  await store.save(invoice, { internal: { paymentIntent: intent.id } });
  return intent;
}
