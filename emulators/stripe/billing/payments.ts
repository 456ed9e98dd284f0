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

/** What reports that an intent has reached a status. */
const EVENTS = {
  canceled: 'payment_intent.canceled',
  processing: 'payment_intent.processing',
  requires_action: 'payment_intent.requires_action',
  requires_capture: 'payment_intent.amount_capturable_updated',
  requires_payment_method: 'payment_intent.payment_failed',
  succeeded: 'payment_intent.succeeded',
} as const;

/** Moves an intent to a status, with the fields that change with it, and reports it. */
async function setStatus(
  store: Store,
  intent: Intent,
  status: keyof typeof EVENTS,
  change: Partial<Intent>,
  dueAt: number | null = null,
): Promise<Intent> {
  await store.save(Object.assign(intent, { next_action: null, ...change, status }), { dueAt });
  store.emit(EVENTS[status], intent);
  return intent;
}

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
  store.emit('charge.succeeded', charge);
  const held = { payment_method: method.id, last_payment_error: null, amount_capturable: intent.amount };
  await setStatus(store, intent, 'requires_capture', held);
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
  store.emit('charge.captured', charge);
  await setStatus(store, intent, 'succeeded', { amount_capturable: 0, amount_received: amount });
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
  const canceled = { amount_capturable: 0, canceled_at: store.now, cancellation_reason: reason };
  return setStatus(store, intent, 'canceled', canceled);
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
  store.emit('charge.pending', charge);
  const pending = { payment_method: method.id, last_payment_error: null };
  await setStatus(store, intent, 'processing', pending, store.now + DAYS_UNTIL_CLEARED * DAY);
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
  store.emit('charge.succeeded', charge);
  const paid = { payment_method: method, last_payment_error: null, amount_received: intent.amount };
  await setStatus(store, intent, 'succeeded', paid);
}

/** The bank refused, or the customer did not confirm (without a charge): the intent waits for another card or account. */
async function failIntent(
  store: Store,
  intent: Intent,
  charge: Charge | null,
  error: PaymentFailure & Pick<IntentError, 'type' | 'payment_method'>,
): Promise<void> {
  if (charge) store.emit('charge.failed', charge);
  await setStatus(store, intent, 'requires_payment_method', {
    payment_method: null,
    last_payment_error: {
      ...error,
      ...(charge && { charge: charge.id }),
      code: error.code as NonNullable<IntentError['code']>,
      doc_url: docUrl(error.code),
    },
  });
}

/**
 * Leaves the intent waiting for the customer, who has to confirm the payment with their bank (3-D Secure).
 * @param id the page's: of the intent, or of the Checkout Session that it is part of
 */
export function askForAuthentication(
  store: Store,
  intent: Intent,
  returnUrl: string | null = store.config.appUrl,
  id = intent.id,
): Promise<Intent> {
  const redirect = { return_url: returnUrl, url: challengeUrl(store.config, id) };
  return setStatus(store, intent, 'requires_action', {
    next_action: { type: 'redirect_to_url', redirect_to_url: redirect },
  });
}

/** The customer did not confirm the payment with their bank: nothing was charged. */
export async function failAuthentication(store: Store, intent: Intent): Promise<void> {
  const code = 'payment_intent_authentication_failure';
  const method = await store.find('payment_method', intent.payment_method ?? '');
  const message = 'The provided PaymentMethod has failed authentication.';
  const error = { type: 'invalid_request_error', code, message, ...(method && { payment_method: method }) } as const;
  await failIntent(store, intent, null, error);
}

export const docUrl = (code: string): string => `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`;

const issuedBy = ({ config, now }: Store) => ({ now, seller: config.appName });
