// Confirming a PaymentIntent through the API, without Checkout.
import { ApiError, invalidRequest } from '../errors';
import { buildBankAccount, buildCard } from '../objects/payment-methods';
import type { Store } from '../store';
import { checkBankAccount, checkCard, namedCard, TEST_ACCOUNT_NUMBER, TEST_ROUTING_NUMBER } from '../test-cards';
import { challengeUrl } from '../urls';
import type { ApiObject } from '../wire';
import { behaviorOf, chargeCard, debitAccount, docUrl, wrongStatus } from './payments';

type Intent = ApiObject<'payment_intent'>;
type Method = ApiObject<'payment_method'>;

type Confirmation = {
  method?: string | undefined;
  /** The customer is not present, so 3-D Secure cannot succeed. */
  isOffSession?: boolean | undefined;
  returnUrl?: string | undefined;
};

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/**
 * Confirms an intent. A declined card is a refusal with effects (402): the failed charge and the intent's error are kept.
 */
export async function confirmIntent(store: Store, intent: Intent, given: Confirmation): Promise<Intent> {
  if (!CONFIRMABLE.includes(intent.status)) throw wrongStatus(intent, 'confirmed', CONFIRMABLE.join(', '));
  const methodId = given.method ?? intent.payment_method;
  if (!methodId) {
    throw invalidRequest(
      'You cannot confirm this PaymentIntent because it is missing a payment method. Pass `payment_method`, or update the PaymentIntent with one.',
      { code: 'payment_intent_unexpected_state' },
    );
  }
  const method = await methodFor(store, methodId, intent.customer);
  intent.payment_method = method.id;
  if (method.type === 'us_bank_account') {
    await debitAccount(store, intent, method);
    return intent;
  }
  const { failure, laterFailure, needsAuthentication } = await behaviorOf(store, method);
  if (needsAuthentication && !given.isOffSession) return askForAuthentication(store, intent, method, given.returnUrl);
  const reason = given.isOffSession ? laterFailure : failure;
  await chargeCard(store, intent, method, reason);
  if (reason) {
    store.failure = new ApiError(402, {
      ...reason,
      type: 'card_error',
      charge: intent.latest_charge ?? '',
      doc_url: docUrl(reason.code),
      payment_intent: intent,
      payment_method: method,
    });
  }
  return intent;
}

async function askForAuthentication(
  store: Store,
  intent: Intent,
  method: Method,
  returnUrl: string | undefined,
): Promise<Intent> {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.next_action = {
    type: 'redirect_to_url',
    redirect_to_url: { return_url: returnUrl ?? store.config.appUrl, url: challengeUrl(store.config, intent.id) },
  };
  await store.save(intent);
  store.emit('payment_intent.requires_action', intent);
  return intent;
}

/** The customer has confirmed the payment with their bank. */
export async function confirmAuthenticated(store: Store, intent: Intent): Promise<void> {
  const method = await store.get('payment_method', intent.payment_method ?? '');
  await chargeCard(store, intent, method, null);
}

/** The payment method with this ID. Stripe's ready-made ones (`pm_card_visa`) become one of this account's. */
export async function methodFor(store: Store, id: string, customer: string | null): Promise<Method> {
  const number = namedCard(id);
  if (number) return saveCard(store, number, customer);
  if (id === 'pm_usBankAccount_success') {
    const account = { routingNumber: TEST_ROUTING_NUMBER, accountNumber: TEST_ACCOUNT_NUMBER };
    const owner = { customer, email: null, name: 'Jenny Rosen' };
    return store.insert(buildBankAccount({ ...account, ...owner }, store.now), { internal: checkBankAccount(account) });
  }
  return store.get('payment_method', id, 'payment_method');
}

const YEARS_UNTIL_EXPIRY = 5;

/** A test card as a payment method. */
export function saveCard(store: Store, number: string, customer: string | null): Promise<Method> {
  const expYear = new Date(store.now * 1000).getUTCFullYear() + YEARS_UNTIL_EXPIRY;
  const owner = { customer, email: null, name: null };
  return store.insert(buildCard({ number, expMonth: 12, expYear, ...owner }, store.now), {
    internal: checkCard(number),
  });
}
