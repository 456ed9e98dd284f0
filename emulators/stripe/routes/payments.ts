// Payments without Checkout: intents, their charges, and refunds.
import { z } from 'zod';
import { BEFORE_PAYMENT, confirmIntent } from '../billing/confirm';
import { isForInvoice } from '../billing/invoice-payments';
import { resolveMethod } from '../billing/payment-methods';
import { cancelIntent, captureIntent, createIntent } from '../billing/payments';
import { refundCharge } from '../billing/refunds';
import { isForSession } from '../checkout/plan';
import { invalidRequest } from '../errors';
import {
  applyUpdate,
  currency,
  defined,
  email,
  emptyOr,
  expand,
  flag,
  integer,
  mergeMetadata,
  metadata,
  text,
  url,
} from '../parameters';
import { leastAmount, limitProblem } from '../pricing/limits';
import { list, type Route, retrieve, route, update } from '../route';
import { search } from '../search';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const changeable = {
  description: emptyOr(text).optional(),
  metadata: metadata.optional(),
  payment_method: text.optional(),
  receipt_email: emptyOr(email).optional(),
  setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
  expand,
};

const confirmation = { off_session: flag.optional(), return_url: url.optional() };

const newIntent = z.strictObject({
  ...changeable,
  ...confirmation,
  amount: integer(1),
  currency,
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']).optional(),
  confirm: flag.optional(),
  customer: text.optional(),
  payment_method_types: z.array(z.enum(['card', 'us_bank_account'])).optional(),
});

type NewIntent = z.output<typeof newIntent>;

const byCustomer = { customer: text.optional() };

export const paymentRoutes: Route[] = [
  route('POST /payment_intents', newIntent, newPayment),
  list('/payment_intents', 'payment_intent', byCustomer),
  search('/payment_intents', 'payment_intent'),
  route(
    'GET /payment_intents/:id',
    z.strictObject({ expand, client_secret: text.optional() }),
    (store, _params, { id }) => store.get('payment_intent', id),
  ),
  route(
    'POST /payment_intents/:id',
    z.strictObject({ ...changeable, amount: integer(1).optional() }),
    async (store, { payment_method, expand: _expand, ...given }, { id }) => {
      const intent = await store.getEntered('payment_intent', id);
      refuseLateUpdate(intent, { ...given, payment_method });
      if (given.amount) await refuseOwned(store, intent);
      if (given.amount) refuseAmount(given.amount, intent.currency);
      applyUpdate(intent, given);
      if (payment_method) await usePaymentMethod(store, intent, payment_method);
      return store.save(intent);
    },
  ),
  route(
    'POST /payment_intents/:id/confirm',
    z.strictObject({ ...confirmation, payment_method: text.optional(), receipt_email: email.optional(), expand }),
    async (store, { payment_method: method, off_session: isOffSession, ...given }, { id }) => {
      const intent = await store.getEntered('payment_intent', id);
      await refuseInCheckout(store, intent);
      intent.receipt_email = given.receipt_email ?? intent.receipt_email;
      return confirmIntent(store, intent, { method, isOffSession, returnUrl: given.return_url });
    },
  ),
  route(
    'POST /payment_intents/:id/capture',
    z.strictObject({ amount_to_capture: integer(1).optional(), metadata: metadata.optional(), expand }),
    async (store, { amount_to_capture: part, metadata: change }, { id }) => {
      const intent = await store.getEntered('payment_intent', id);
      intent.metadata = mergeMetadata(intent.metadata, change);
      return captureIntent(store, intent, part);
    },
  ),
  route(
    'POST /payment_intents/:id/cancel',
    z.strictObject({
      cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      expand,
    }),
    async (store, { cancellation_reason: reason }, { id }) => {
      const intent = await store.getEntered('payment_intent', id);
      await refuseOwned(store, intent);
      return cancelIntent(store, intent, reason ?? null);
    },
  ),
  list('/charges', 'charge', { ...byCustomer, payment_intent: text.optional() }),
  search('/charges', 'charge'),
  retrieve('/charges', 'charge'),
  route(
    'POST /refunds',
    z.strictObject({
      charge: text.optional(),
      payment_intent: text.optional(),
      amount: integer(1).optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      metadata: metadata.optional(),
      expand,
    }),
    async (store, { charge: chargeId, payment_intent, amount: part, reason = null, metadata: given }) => {
      const charge = await chargeToRefund(store, chargeId, payment_intent);
      return refundCharge(store, charge, { amount: part, reason, metadata: mergeMetadata({}, given) });
    },
  ),
  list('/refunds', 'refund', { charge: text.optional(), payment_intent: text.optional() }),
  retrieve('/refunds', 'refund'),
  update('/refunds', 'refund', {}, 'refund.updated'),
];

async function newPayment(store: Store, given: NewIntent): Promise<ApiObject<'payment_intent'>> {
  if (given.customer) await store.enter(given.customer, { param: 'customer' });
  if (given.off_session && !given.confirm) {
    throw invalidRequest('You can only pass `off_session` with `confirm`.', { param: 'off_session' });
  }
  refuseAmount(given.amount, given.currency);
  const intent = await createIntent(store, {
    amount: given.amount,
    currency: given.currency,
    customer: given.customer ?? null,
    description: given.description ?? null,
    metadata: mergeMetadata({}, given.metadata),
    captureMethod: given.capture_method,
    methodTypes: given.payment_method_types,
    receiptEmail: given.receipt_email,
    setupFutureUsage: given.setup_future_usage,
    automaticMethods: automaticMethods(given),
  });
  if (given.payment_method) await usePaymentMethod(store, intent, given.payment_method);
  if (!given.confirm) return store.save(intent);
  return confirmIntent(store, intent, { isOffSession: given.off_session, returnUrl: given.return_url });
}

/** @throws ApiError if Stripe charges no such amount in this currency */
function refuseAmount(given: number, unit: string): void {
  const least = leastAmount(given, unit);
  if (least) throw invalidRequest(`Amount must be at least ${least}`, { param: 'amount', code: 'amount_too_small' });
  const problem = limitProblem(given, unit);
  if (problem) throw invalidRequest(problem.message, { ...problem, param: 'amount' });
}

/** @throws ApiError if the intent belongs to an unpaid invoice or an open Checkout Session */
async function refuseOwned(store: Store, intent: ApiObject<'payment_intent'>): Promise<void> {
  await refuseInCheckout(store, intent);
  if (await isForInvoice(store, intent.id)) throw cannotChange('an invoice. Void or credit the invoice instead.');
}

async function refuseInCheckout(store: Store, { id }: ApiObject<'payment_intent'>): Promise<void> {
  if (await isForSession(store, id)) throw cannotChange('Checkout. Expire the Checkout Session instead.');
}

const cannotChange = (owner: string) =>
  invalidRequest(`You cannot perform this action on PaymentIntents created by ${owner}`);

/** Since API 2023-08-16 the account's own selection of methods is the default, unless the types are named. */
function automaticMethods({ automatic_payment_methods: asked, payment_method_types: types }: NewIntent) {
  if (!asked && types) return null;
  const { enabled, allow_redirects = 'always' } = asked ?? { enabled: true };
  return { enabled, allow_redirects };
}

/** The statuses in which a field may be updated; null for every status. The other fields may be updated before the payment. */
const UPDATABLE_IN: Record<string, string[] | null> = {
  description: null,
  metadata: null,
  receipt_email: [...BEFORE_PAYMENT, 'requires_capture', 'succeeded'],
};

/** @throws ApiError if the intent's status does not allow an update of a given field */
function refuseLateUpdate({ status }: ApiObject<'payment_intent'>, given: Record<string, unknown>): void {
  for (const param of Object.keys(defined(given))) {
    const { [param]: statuses = BEFORE_PAYMENT } = UPDATABLE_IN;
    if (statuses === null || statuses.includes(status)) continue;
    throw invalidRequest(
      `This PaymentIntent's ${param} could not be updated because it has a status of ${status}. You may only update the ${param} of a PaymentIntent with one of the following statuses: ${statuses.join(', ')}.`,
      { param, code: 'payment_intent_unexpected_state' },
    );
  }
}

async function usePaymentMethod(store: Store, intent: ApiObject<'payment_intent'>, id: string): Promise<void> {
  intent.payment_method = (await resolveMethod(store, id, { customer: intent.customer, purpose: 'payment' })).id;
  if (intent.status === 'requires_payment_method') intent.status = 'requires_confirmation';
}

async function chargeToRefund(
  store: Store,
  charge: string | undefined,
  paymentIntent: string | undefined,
): Promise<ApiObject<'charge'>> {
  if (charge) return store.get('charge', charge, 'charge');
  if (!paymentIntent) throw invalidRequest('One of the following params should be provided: payment_intent or charge.');
  const { latest_charge: latest } = await store.get('payment_intent', paymentIntent, 'payment_intent');
  if (!latest) {
    throw invalidRequest(`This PaymentIntent (${paymentIntent}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    });
  }
  return store.get('charge', latest);
}
