import 'server-only';
import { z } from 'zod';
import { createdFilter, expand, integer, listParameters, mergeMetadata, metadata, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { invalidRequest } from '../api/stripe-fault';
import { refundCharge } from '../billing/refund-charge';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { listPage } from './list-page';

const read = z.strictObject({ expand });
const byCustomer = { ...listParameters, customer: text.optional(), created: createdFilter };

export const paymentRoutes: Route[] = [
  route('GET /v1/payment_intents', {
    params: z.strictObject(byCustomer),
    handle: (store, { customer, ...query }) =>
      listPage(store, 'payment_intent', '/v1/payment_intents', { ...query, where: { customer } }),
  }),
  route('GET /v1/payment_intents/:id', {
    params: z.strictObject({ expand, client_secret: text.optional() }),
    handle: (store, _params, { id }) => store.get('payment_intent', id),
  }),
  route('GET /v1/charges', {
    params: z.strictObject({ ...byCustomer, payment_intent: text.optional() }),
    handle: (store, { customer, payment_intent, ...query }) =>
      listPage(store, 'charge', '/v1/charges', { ...query, where: { customer, payment_intent } }),
  }),
  route('GET /v1/charges/:id', { params: read, handle: (store, _params, { id }) => store.get('charge', id) }),
  route('GET /v1/payment_methods', {
    params: z.strictObject({ ...listParameters, customer: text.optional(), type: text.optional() }),
    handle: (store, { customer, type, ...query }) =>
      listPage(store, 'payment_method', '/v1/payment_methods', { ...query, where: { customer, type } }),
  }),
  route('GET /v1/payment_methods/:id', {
    params: read,
    handle: (store, _params, { id }) => store.get('payment_method', id),
  }),
  route('POST /v1/refunds', {
    params: z.strictObject({
      charge: text.optional(),
      payment_intent: text.optional(),
      amount: integer.min(1).optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      metadata: metadata.optional(),
      expand,
    }),
    handle: async (store, { charge: chargeId, payment_intent, amount, reason, metadata: given }) => {
      const charge = await chargeToRefund(store, chargeId, payment_intent);
      return refundCharge(store, charge, { amount, reason: reason ?? null, metadata: mergeMetadata({}, given) });
    },
  }),
  route('GET /v1/refunds', {
    params: z.strictObject({
      ...listParameters,
      charge: text.optional(),
      payment_intent: text.optional(),
      created: createdFilter,
    }),
    handle: (store, { charge, payment_intent, ...query }) =>
      listPage(store, 'refund', '/v1/refunds', { ...query, where: { charge, payment_intent } }),
  }),
  route('GET /v1/refunds/:id', { params: read, handle: (store, _params, { id }) => store.get('refund', id) }),
];

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
