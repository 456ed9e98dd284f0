import 'server-only';
import { z } from 'zod';
import { createdFilter, emptyOr, expand, flag, integer, listParameters, metadata, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { cancelSubscription } from '../billing/cancel-subscription';
import { updateSubscription } from '../billing/update-subscription';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { listPage } from './list-page';

const updateParameters = z.strictObject({
  cancel_at_period_end: flag.optional(),
  default_payment_method: text.optional(),
  description: emptyOr(text).optional(),
  metadata: metadata.optional(),
  items: z
    .array(z.strictObject({ id: text, price: text, quantity: integer.min(1).optional() }))
    .max(1)
    .optional(),
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
  expand,
});

export const subscriptionRoutes: Route[] = [
  route('GET /v1/subscriptions', {
    params: z.strictObject({
      ...listParameters,
      customer: text.optional(),
      status: z.enum(['active', 'past_due', 'unpaid', 'canceled', 'trialing', 'incomplete', 'ended', 'all']).optional(),
      created: createdFilter,
    }),
    handle: (store, { customer, status, ...query }) =>
      listPage(store, 'subscription', '/v1/subscriptions', {
        ...query,
        where: { customer, status: statusesListed(status) },
      }),
  }),
  route('GET /v1/subscriptions/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('subscription', id),
  }),
  route('POST /v1/subscriptions/:id', {
    params: updateParameters,
    handle: async (store, given, { id }) => updateSubscription(store, await enterSubscription(store, id), given),
  }),
  route('DELETE /v1/subscriptions/:id', {
    params: z.strictObject({ invoice_now: flag.optional(), prorate: flag.optional(), expand }),
    handle: async (store, _params, { id }) => cancelSubscription(store, await enterSubscription(store, id)),
  }),
];

/** The subscription, in its customer's world and under its lock. */
async function enterSubscription(store: Store, id: string): Promise<ApiObject<'subscription'>> {
  const { customer } = await store.get('subscription', id);
  await store.enter(customer);
  return store.get('subscription', id);
}

/** Without a status, the list leaves out what has been cancelled. */
function statusesListed(status: string | undefined): string[] | string | undefined {
  if (status === 'all') return undefined;
  if (status === 'ended') return ['canceled', 'incomplete_expired'];
  return status ?? ['active', 'past_due', 'unpaid', 'trialing', 'incomplete', 'paused'];
}
