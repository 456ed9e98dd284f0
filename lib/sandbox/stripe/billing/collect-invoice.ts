import 'server-only';
import { emitEvent } from '../emit-event';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { PaymentFailure } from './cards';
import { chargeCard, createPaymentIntent } from './charge-card';
import { awaitDebit, debitAccount } from './debit-account';
import { paymentFailed, paymentSucceeded } from './invoice-outcome';
import { settleInvoice } from './issue-invoice';
import { periodEnd } from './subscription-state';

/**
 * Collects an open invoice while its customer is not there: by the subscription's card at once, from a bank account days
 * later. Declined, the subscription is past due and is tried again every three days; after the fourth attempt Stripe gives
 * up and cancels it (the account's default setting).
 * @returns whether it is paid now
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
  const { default_payment_method: methodId } = subscription;
  const method = methodId ? await store.get('payment_method', methodId) : null;
  const intent = await intentOf(store, invoice);
  if (method?.type === 'us_bank_account') {
    await debitAccount(store, intent, method);
    await awaitDebit(store, intent, { session: null, invoice: invoice.id });
    // Past due, it waits for the bank alone.
    await store.save(subscription, { dueAt: subscription.status === 'past_due' ? null : periodEnd(subscription) });
    return false;
  }
  const { laterFailure } = method
    ? await store.internal<{ laterFailure: PaymentFailure | null }>(method.id)
    : { laterFailure: null };
  if (method) await chargeCard(store, intent, method, laterFailure);
  if (method && !laterFailure) {
    await paymentSucceeded(store, subscription, invoice, intent.id);
    return true;
  }
  await paymentFailed(store, subscription, invoice);
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
