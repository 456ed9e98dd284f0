// Confirming a PaymentIntent through the API, without Checkout.
import { ApiError, invalidRequest } from '../errors';
import type { Store } from '../store';
import { setUp } from '../test-cards';
import type { ApiObject } from '../wire';
import { updateInvoiceOf } from './collection';
import { attachMethod, behaviorOf, findRefusal, resolveMethod } from './payment-methods';
import { askForAuthentication, chargeCard, debitAccount, docUrl, failAuthentication, wrongStatus } from './payments';

type Intent = ApiObject<'payment_intent'>;
type Method = ApiObject<'payment_method'>;

type Confirmation = {
  method?: string | undefined;
  /** The customer is not present, so 3-D Secure cannot succeed. */
  isOffSession?: boolean | undefined;
  returnUrl?: string | undefined;
};

/** The statuses of an intent before its payment, in which it can be confirmed. */
export const BEFORE_PAYMENT = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/**
 * Confirms an intent. A declined card is a refusal with effects (402): the failed charge and the intent's error are kept.
 */
export async function confirmIntent(store: Store, intent: Intent, given: Confirmation): Promise<Intent> {
  if (!BEFORE_PAYMENT.includes(intent.status)) throw wrongStatus(intent, 'confirmed', BEFORE_PAYMENT.join(', '));
  const methodId = given.method ?? intent.payment_method;
  if (!methodId) {
    throw invalidRequest(
      'You cannot confirm this PaymentIntent because it is missing a payment method. Pass `payment_method`, or update the PaymentIntent with one.',
      { code: 'payment_intent_unexpected_state' },
    );
  }
  if (needsReturnUrl(intent, given)) throw invalidRequest(NO_RETURN_URL, { param: 'return_url' });
  const method = await resolveMethod(store, methodId, { customer: intent.customer, purpose: 'payment' });
  intent.payment_method = method.id;
  if (method.type === 'us_bank_account') {
    await keepForLater(store, intent, method);
    await debitAccount(store, intent, method);
    await updateInvoiceOf(store, intent);
    return intent;
  }
  const { failure, laterFailure, needsAuthentication } = await behaviorOf(store, method);
  if (needsAuthentication && !given.isOffSession) return askForAuthentication(store, intent, given.returnUrl);
  const reason = given.isOffSession ? laterFailure : failure;
  if (!reason) await keepForLater(store, intent, method);
  await chargeCard(store, intent, method, reason);
  await updateInvoiceOf(store, intent);
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

/** Whether a method that the intent accepts may redirect the customer, who then needs a URL to return to. */
const needsReturnUrl = ({ automatic_payment_methods: automatic }: Intent, given: Confirmation): boolean =>
  automatic?.enabled === true && automatic.allow_redirects !== 'never' && !given.isOffSession && !given.returnUrl;

const NO_RETURN_URL =
  "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.";

/** The customer has confirmed the payment with their bank. A card that was detached meanwhile pays nothing. */
export async function confirmAuthenticated(store: Store, intent: Intent): Promise<void> {
  const method = await store.get('payment_method', intent.payment_method ?? '');
  if (await findRefusal(store, method, { customer: intent.customer, purpose: 'payment' })) {
    await failAuthentication(store, intent);
    return;
  }
  await keepForLater(store, intent, method);
  await chargeCard(store, intent, method, null);
  await updateInvoiceOf(store, intent);
}

/** With `setup_future_usage`, the payment attaches its method to the customer and sets it up for later ones. */
async function keepForLater(store: Store, { customer, setup_future_usage: usage }: Intent, method: Method) {
  if (!usage || !customer) return;
  await attachMethod(store, method, customer);
  await store.save(method, { internal: setUp(await behaviorOf(store, method)) });
}
