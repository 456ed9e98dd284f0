// ACH Direct Debit: the bank answers days after the customer has gone, and only then is anything paid.
import 'server-only';
import { emitEvent } from '../emit-event';
import { buildCharge } from '../objects/charge';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { PaymentFailure } from './cards';
import { failIntent, succeedIntent } from './charge-card';
import { paymentFailed, paymentSucceeded } from './invoice-outcome';

/** With Stripe up to four business days. */
const DAYS_UNTIL_ANSWERED = 4;
const DAY = 86_400;

/** What waits for the bank's answer beside the intent. */
type Waiting = { session: string | null; invoice: string | null };

/** Sends the debit to the bank. Until it answers the intent is processing, and the charge pending. */
export async function debitAccount(
  store: Store,
  intent: ApiObject<'payment_intent'>,
  method: ApiObject<'payment_method'>,
): Promise<void> {
  const charge = await store.insert(buildCharge(intent, method, 'pending', store.now));
  intent.latest_charge = charge.id;
  intent.status = 'processing';
  intent.next_action = null;
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  await store.save(intent, { dueAt: store.now + DAYS_UNTIL_ANSWERED * DAY });
  emitEvent(store, 'charge.pending', charge);
  emitEvent(store, 'payment_intent.processing', intent);
}

/** Says what the bank's answer will be about. */
export async function awaitDebit(store: Store, intent: ApiObject<'payment_intent'>, waiting: Waiting): Promise<void> {
  await store.save(intent, { internal: waiting });
}

/** The bank has answered: its intent, its invoice and its Checkout Session come to an end. */
export async function settleDebit(store: Store, intent: ApiObject<'payment_intent'>): Promise<void> {
  if (intent.status !== 'processing') return;
  const method = await store.get('payment_method', intent.payment_method ?? '');
  const { laterFailure } = await store.internal<{ laterFailure: PaymentFailure | null }>(method.id);
  const charge = await store.lock('charge', intent.latest_charge ?? '');
  store.subject ||= charge.billing_details.email?.toLowerCase() ?? '';
  const waiting = await store.internal<Waiting>(intent.id);
  Object.assign(charge, buildCharge(intent, method, laterFailure ?? 'succeeded', charge.created), { id: charge.id });
  await store.save(charge);
  if (laterFailure) await failIntent(store, intent, charge, { ...laterFailure, type: 'invalid_request_error' });
  else await succeedIntent(store, intent, charge, method.id);
  if (waiting.invoice) await answerInvoice(store, waiting.invoice, intent, laterFailure === null);
  if (waiting.session) await answerSession(store, waiting.session, laterFailure === null);
}

async function answerInvoice(
  store: Store,
  id: string,
  intent: ApiObject<'payment_intent'>,
  isPaid: boolean,
): Promise<void> {
  const invoice = await store.get('invoice', id);
  const subscriptionId = invoice.parent?.subscription_details?.subscription;
  const subscription = subscriptionId ? await store.get('subscription', subscriptionId) : null;
  const before = subscription?.status;
  if (isPaid) await paymentSucceeded(store, subscription, invoice, intent.id);
  else await paymentFailed(store, subscription, invoice);
  if (subscription && subscription.status !== before) {
    emitEvent(store, 'customer.subscription.updated', subscription, { status: before });
  }
}

async function answerSession(store: Store, id: string, isPaid: boolean): Promise<void> {
  const session = await store.lock('checkout.session', id);
  if (isPaid) session.payment_status = 'paid';
  await store.save(session);
  emitEvent(store, `checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session);
}
