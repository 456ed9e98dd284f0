import 'server-only';
import { z } from 'zod';
import { createdFilter, expand, listParameters, mergeMetadata, metadata, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { invalidRequest } from '../api/stripe-fault';
import type { CheckoutPlan } from '../checkout/checkout-plan';
import { createSession } from '../checkout/create-session';
import { expireSession } from '../checkout/expire-session';
import { loadItems } from '../checkout/load-items';
import { lockSession } from '../checkout/lock-session';
import { newSession } from '../checkout/session-parameters';
import { buildLineItems } from '../objects/checkout-session';
import type { Store } from '../store';
import { listPage } from './list-page';

export const checkoutSessionRoutes: Route[] = [
  route('POST /v1/checkout/sessions', { params: newSession, handle: createSession }),
  route('GET /v1/checkout/sessions', {
    params: z.strictObject({
      ...listParameters,
      customer: text.optional(),
      payment_intent: text.optional(),
      subscription: text.optional(),
      status: z.enum(['open', 'complete', 'expired']).optional(),
      created: createdFilter,
    }),
    handle: (store, { customer, payment_intent, subscription, status, ...query }) =>
      listPage(store, 'checkout.session', '/v1/checkout/sessions', {
        ...query,
        where: { customer, payment_intent, subscription, status },
      }),
  }),
  route('GET /v1/checkout/sessions/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('checkout.session', id),
  }),
  route('POST /v1/checkout/sessions/:id', {
    params: z.strictObject({ metadata: metadata.optional(), expand }),
    handle: async (store, { metadata: change }, { id }) => {
      const session = await store.lock('checkout.session', id);
      session.metadata = mergeMetadata(session.metadata ?? {}, change);
      return store.save(session);
    },
  }),
  route('GET /v1/checkout/sessions/:id/line_items', {
    params: z.strictObject(listParameters),
    handle: (store, _params, { id }) => listLineItems(store, id),
  }),
  route('POST /v1/checkout/sessions/:id/expire', {
    params: z.strictObject({ expand }),
    handle: async (store, _params, { id }) => {
      const session = await lockSession(store, id);
      if (session.status !== 'open') {
        throw invalidRequest(
          `Only Checkout Sessions with a status in ["open"] can be expired. This one has a status of \`${session.status}\`.`,
        );
      }
      return expireSession(store, session);
    },
  }),
];

/** The items of a session; asked for by themselves or through `expand`. */
export async function listLineItems(store: Store, session: string) {
  const { total_details: details } = await store.get('checkout.session', session);
  const items = await loadItems(store, await store.internal<CheckoutPlan>(session));
  const url = `/v1/checkout/sessions/${session}/line_items`;
  return {
    object: 'list' as const,
    url,
    has_more: false,
    data: buildLineItems(session, items, details?.amount_discount ?? 0),
  };
}
