import 'server-only';
import { emitEvent } from '../emit-event';
import { buildCharge } from '../objects/charge';
import { buildPaymentIntent, type NewPaymentIntent } from '../objects/payment-intent';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { PaymentFailure } from './cards';

/** A new PaymentIntent that waits for a card or a bank account. */
export async function createPaymentIntent(store: Store, given: NewPaymentIntent): Promise<ApiObject<'payment_intent'>> {
  const intent = await store.insert(buildPaymentIntent(given, store.now));
  emitEvent(store, 'payment_intent.created', intent);
  return intent;
}

/**
 * Charges the card for the intent, or records that it was declined; either way a charge is left behind.
 * The intent may be charged again after a failure.
 */
export async function chargeCard(
  store: Store,
  intent: ApiObject<'payment_intent'>,
  method: ApiObject<'payment_method'>,
  failure: PaymentFailure | null,
): Promise<void> {
  const charge = await store.insert(buildCharge(intent, method, failure ?? 'succeeded', store.now));
  intent.latest_charge = charge.id;
  if (failure) await failIntent(store, intent, charge, { ...failure, type: 'card_error' });
  else await succeedIntent(store, intent, charge, method.id);
}

/** The money is there. */
export async function succeedIntent(
  store: Store,
  intent: ApiObject<'payment_intent'>,
  charge: ApiObject<'charge'>,
  method: string,
): Promise<void> {
  intent.status = 'succeeded';
  intent.next_action = null;
  intent.payment_method = method;
  intent.last_payment_error = null;
  intent.amount_received = intent.amount;
  await store.save(intent, { dueAt: null });
  emitEvent(store, 'charge.succeeded', charge);
  emitEvent(store, 'payment_intent.succeeded', intent);
}

type IntentError = NonNullable<ApiObject<'payment_intent'>['last_payment_error']>;

/** The bank has refused: the intent waits for another card or account. */
export async function failIntent(
  store: Store,
  intent: ApiObject<'payment_intent'>,
  charge: ApiObject<'charge'>,
  failure: PaymentFailure & Pick<IntentError, 'type'>,
): Promise<void> {
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  intent.payment_method = null;
  intent.last_payment_error = {
    type: failure.type,
    charge: charge.id,
    code: failure.code as NonNullable<IntentError['code']>,
    ...(failure.decline_code && { decline_code: failure.decline_code }),
    doc_url: `https://docs.stripe.com/error-codes/${failure.code.replaceAll('_', '-')}`,
    message: failure.message,
  };
  await store.save(intent, { dueAt: null });
  emitEvent(store, 'charge.failed', charge);
  emitEvent(store, 'payment_intent.payment_failed', intent);
}
