// Payments: an intent, and the charge that each attempt creates. A card is charged immediately, a bank debit clears later.
import { invalidRequest } from '../errors';
import { buildCharge, buildPaymentIntent, type NewPaymentIntent } from '../objects/payments';
import type { Store } from '../store';
import type { PaymentFailure } from '../test-cards';
import { challengeUrl } from '../urls';
import type { ApiObject } from '../wire';
import { openDispute } from './disputes';
import { behaviorOf, useUp } from './payment-methods';

type Intent = ApiObject<'payment_intent'>;
type Charge = ApiObject<'charge'>;
type Method = ApiObject<'payment_method'>;
type IntentError = NonNullable<Intent['last_payment_error']>;

/** Stripe takes up to four business days. */
const DAYS_UNTIL_CLEARED = 4;
const DAY = 86_400;

/** A new PaymentIntent that waits for a card or a bank account. */
export async function createIntent(store: Store, given: NewPaymentIntent): Promise<Intent> {
  const intent = await store.insert(buildPaymentIntent(given, store.now));
  store.emit('payment_intent.created', intent);
  return intent;
}

/**
 * Charges the card for the intent, or records that it was declined; either way there is a charge. The intent may be
 * charged again after a failure. With manual capture, the money is held and not taken.
 */
export async function chargeCard(
  store: Store,
  intent: Intent,
  method: Method,
  failure: PaymentFailure | null,
): Promise<void> {
  const charge = await store.insert(buildCharge(intent, method, failure ?? 'succeeded', issuedBy(store)));
  await useUp(store, method);
  intent.latest_charge = charge.id;
  if (failure) {
    await failIntent(store, intent, charge, { ...failure, type: 'card_error', payment_method: method });
    return;
  }
  if (intent.capture_method === 'manual') await holdAmount(store, intent, charge, method);
  else await succeedIntent(store, intent, charge, method.id);
  if (charge.captured) await disputeCharge(store, charge, method);
}

/** Some test cards dispute their payment. */
async function disputeCharge(store: Store, charge: Charge, method: Method | null): Promise<void> {
  if (method && (await behaviorOf(store, method)).isDisputed) await openDispute(store, charge);
}

async function holdAmount(store: Store, intent: Intent, charge: Charge, method: Method): Promise<void> {
  intent.status = 'requires_capture';
  intent.next_action = null;
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.amount_capturable = intent.amount;
  await store.save(intent);
  store.emit('charge.succeeded', charge);
  store.emit('payment_intent.amount_capturable_updated', intent);
}

/** Captures what was held, or part of it; the rest is released. */
export async function captureIntent(store: Store, intent: Intent, amount = intent.amount_capturable): Promise<Intent> {
  if (intent.status !== 'requires_capture') throw wrongStatus(intent, 'captured', 'requires_capture');
  if (amount > intent.amount_capturable) {
    throw invalidRequest('The amount to capture is greater than the amount that can be captured.', {
      param: 'amount_to_capture',
      code: 'amount_too_large',
    });
  }
  const charge = await store.get('charge', intent.latest_charge ?? '');
  charge.captured = true;
  charge.amount_captured = amount;
  charge.amount_refunded = charge.amount - amount; // Stripe counts what it releases as refunded
  await store.save(charge);
  intent.status = 'succeeded';
  intent.amount_capturable = 0;
  intent.amount_received = amount;
  await store.save(intent);
  store.emit('charge.captured', charge);
  store.emit('payment_intent.succeeded', intent);
  for (const session of await store.all('checkout.session', { payment_intent: intent.id })) {
    session.payment_status = 'paid';
    await store.save(session);
  }
  await disputeCharge(store, charge, await store.find('payment_method', intent.payment_method ?? ''));
  return intent;
}

/** Whether an intent is neither paid nor canceled, and no debit is processing. */
export const isCancelable = ({ status }: Intent): boolean =>
  status !== 'succeeded' && status !== 'canceled' && status !== 'processing';

/** Gives up an intent that was not paid. What was held is released. */
export async function cancelIntent(
  store: Store,
  intent: Intent,
  reason: Intent['cancellation_reason'],
): Promise<Intent> {
  if (!isCancelable(intent)) {
    throw wrongStatus(
      intent,
      'canceled',
      'requires_payment_method, requires_capture, requires_confirmation, requires_action',
    );
  }
  if (intent.status === 'requires_capture') {
    const charge = await store.get('charge', intent.latest_charge ?? '');
    const previous = { amount_refunded: 0, refunded: false };
    charge.amount_refunded = charge.amount;
    charge.refunded = true;
    await store.save(charge);
    store.emit('charge.refunded', charge, previous);
  }
  intent.status = 'canceled';
  intent.next_action = null;
  intent.amount_capturable = 0;
  intent.canceled_at = store.now;
  intent.cancellation_reason = reason;
  await store.save(intent, { dueAt: null });
  store.emit('payment_intent.canceled', intent);
  return intent;
}

/** The refusal of a step that an intent's status does not allow. */
export const wrongStatus = (intent: Intent, step: string, needed: string) =>
  invalidRequest(
    `This PaymentIntent could not be ${step} because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be ${step}: ${needed}.`,
    { code: 'payment_intent_unexpected_state' },
  );

/** Sends a debit to the bank. Until it clears or fails, the intent is processing and the charge pending. */
export async function debitAccount(store: Store, intent: Intent, method: Method): Promise<void> {
  const charge = await store.insert(buildCharge(intent, method, 'pending', issuedBy(store)));
  await useUp(store, method);
  intent.latest_charge = charge.id;
  intent.status = 'processing';
  intent.next_action = null;
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  await store.save(intent, { dueAt: store.now + DAYS_UNTIL_CLEARED * DAY });
  store.emit('charge.pending', charge);
  store.emit('payment_intent.processing', intent);
}

/** The debit clears or fails, and the intent with it. @returns whether it was paid */
export async function clearDebit(store: Store, intent: Intent): Promise<boolean> {
  const method = await store.get('payment_method', intent.payment_method ?? '');
  const { laterFailure } = await behaviorOf(store, method);
  const charge = await store.get('charge', intent.latest_charge ?? '');
  store.enterPayer(charge);
  const cleared = buildCharge(intent, method, laterFailure ?? 'succeeded', {
    ...issuedBy(store),
    now: charge.created,
  });
  await store.save(Object.assign(charge, cleared, { id: charge.id }));
  const error = { type: 'invalid_request_error', payment_method: method } as const;
  if (laterFailure) await failIntent(store, intent, charge, { ...laterFailure, ...error });
  else await succeedIntent(store, intent, charge, method.id);
  return laterFailure === null;
}

async function succeedIntent(store: Store, intent: Intent, charge: Charge, method: string): Promise<void> {
  intent.status = 'succeeded';
  intent.next_action = null;
  intent.payment_method = method;
  intent.last_payment_error = null;
  intent.amount_received = intent.amount;
  await store.save(intent, { dueAt: null });
  store.emit('charge.succeeded', charge);
  store.emit('payment_intent.succeeded', intent);
}

/** The bank refused: the intent waits for another card or account. */
async function failIntent(
  store: Store,
  intent: Intent,
  charge: Charge,
  error: PaymentFailure & Pick<IntentError, 'type' | 'payment_method'>,
): Promise<void> {
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  intent.payment_method = null;
  intent.last_payment_error = {
    ...error,
    charge: charge.id,
    code: error.code as NonNullable<IntentError['code']>,
    doc_url: docUrl(error.code),
  };
  await store.save(intent, { dueAt: null });
  store.emit('charge.failed', charge);
  store.emit('payment_intent.payment_failed', intent);
}

/** Leaves the intent waiting for the customer, who has to confirm the payment with their bank (3-D Secure). */
export async function askForAuthentication(
  store: Store,
  intent: Intent,
  method: Method,
  returnUrl = store.config.appUrl,
): Promise<Intent> {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.next_action = {
    type: 'redirect_to_url',
    redirect_to_url: { return_url: returnUrl, url: challengeUrl(store.config, intent.id) },
  };
  await store.save(intent);
  store.emit('payment_intent.requires_action', intent);
  return intent;
}

/** The customer did not confirm the payment with their bank: nothing was charged. */
export async function failAuthentication(store: Store, intent: Intent): Promise<void> {
  const code = 'payment_intent_authentication_failure';
  const method = await store.find('payment_method', intent.payment_method ?? '');
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  intent.payment_method = null;
  intent.last_payment_error = {
    type: 'invalid_request_error',
    code,
    doc_url: docUrl(code),
    message: 'The provided PaymentMethod has failed authentication.',
    ...(method && { payment_method: method }),
  };
  await store.save(intent);
  store.emit('payment_intent.payment_failed', intent);
}

export const docUrl = (code: string): string => `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`;

const issuedBy = ({ config, now }: Store) => ({ now, seller: config.appName });
