import { z } from 'zod';
import { cancellationDetails, cancelSubscription } from '../billing/cancel-subscription';
import { itemFields } from '../billing/change-items';
import { proration, subscriptionUpdate, updateSubscription } from '../billing/change-plan';
import { createSubscription, newSubscription } from '../billing/new-subscription';
import { invalidRequest, notCovered, resourceMissing } from '../errors';
import { CURRENT_STATUSES, type SubscriptionItem } from '../objects/subscriptions';
import { expand, flag, listParameters, text } from '../parameters';
import { list, listOf, onlyExpand, pageOf, type Route, retrieve, route } from '../route';
import { search } from '../search';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const status = z.enum([...CURRENT_STATUSES, 'canceled', 'incomplete_expired', 'ended', 'all']);

const itemRoutes: Route[] = [
  route(
    'GET /subscription_items',
    z.strictObject({ ...listParameters, subscription: text }),
    async (store, { subscription: id, ...page }) => {
      const { items } = await store.get('subscription', id, 'subscription');
      return listOf('/v1/subscription_items', pageOf(items.data, page));
    },
  ),
  route('GET /subscription_items/:id', onlyExpand, async (store, _params, { id }) =>
    itemOf(await ownerOf(store, id), id),
  ),
  route(
    'POST /subscription_items',
    z.strictObject({ ...itemFields, ...proration, subscription: text, expand }),
    async (store, { subscription: id, price, price_data, quantity, expand: _expand, ...how }) => {
      const subscription = await store.getEntered('subscription', id, 'subscription');
      await updateSubscription(store, subscription, { items: [{ price, price_data, quantity }], ...how });
      return subscription.items.data.at(-1);
    },
  ),
  route(
    'POST /subscription_items/:id',
    z.strictObject({ ...itemFields, ...proration, off_session: flag.optional(), expand }),
    async (store, { price, price_data, quantity, expand: _expand, ...how }, { id }) => {
      const subscription = await store.getEntered('subscription', (await ownerOf(store, id)).id);
      return itemOf(
        await updateSubscription(store, subscription, { items: [{ id, price, price_data, quantity }], ...how }),
        id,
      );
    },
  ),
  route('DELETE /subscription_items/:id', z.strictObject(proration), async (store, how, { id }) => {
    const subscription = await store.getEntered('subscription', (await ownerOf(store, id)).id);
    await updateSubscription(store, subscription, { items: [{ id, deleted: true }], ...how });
    return { id, object: 'subscription_item', deleted: true };
  }),
];

export const subscriptionRoutes: Route[] = [
  route('POST /subscriptions', newSubscription, createSubscription),
  list(
    '/subscriptions',
    'subscription',
    {
      customer: text.optional(),
      price: text.optional(),
      status: status.optional(),
      test_clock: text.optional(),
    },
    ({ status: asked, customer, price, test_clock = customer ? undefined : null }) => ({
      customer,
      test_clock,
      items: price && { data: [{ price: { id: price } }] },
      status: statusesListed(asked),
    }),
  ),
  search('/subscriptions', 'subscription'),
  retrieve('/subscriptions', 'subscription'),
  route('POST /subscriptions/:id', subscriptionUpdate, async (store, { expand: _expand, ...given }, { id }) =>
    updateSubscription(store, await store.getEntered('subscription', id), given),
  ),
  route(
    'DELETE /subscriptions/:id',
    z.strictObject({
      cancellation_details: cancellationDetails.optional(),
      invoice_now: flag.optional(),
      prorate: flag.optional(),
      expand,
    }),
    async (store, { invoice_now, prorate, cancellation_details: details }, { id }) => {
      if (prorate) throw notCovered('prorations of a cancellation', 'prorate');
      if (invoice_now) throw notCovered('a last invoice with a cancellation', 'invoice_now');
      return cancelSubscription(store, await store.getEntered('subscription', id), 'cancellation_requested', details);
    },
  ),
  ...itemRoutes,
];

/** The subscription that an item is part of. */
async function ownerOf(store: Store, item: string): Promise<ApiObject<'subscription'>> {
  const [owner] = await store.all('subscription', { items: { data: [{ id: item }] } });
  if (!owner) throw resourceMissing('subscription_item', item);
  return owner;
}

function itemOf({ items }: ApiObject<'subscription'>, id: string): SubscriptionItem {
  const item = items.data.find((one) => one.id === id);
  if (!item) throw invalidRequest(`The subscription has no item ${id}.`);
  return item;
}

/** Without a status, the list leaves out canceled subscriptions. */
function statusesListed(asked: string | undefined): string[] | string | undefined {
  if (asked === 'all') return undefined;
  if (asked === 'ended') return ['canceled', 'incomplete_expired'];
  return asked ?? CURRENT_STATUSES;
}
