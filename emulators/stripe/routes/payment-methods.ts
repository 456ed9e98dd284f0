// Saved cards and bank accounts.
import { z } from 'zod';
import { attachNamed, detachMethod, saveCard } from '../billing/payment-methods';
import { notCovered } from '../errors';
import { expand, listParameters, mergeMetadata, metadata, text } from '../parameters';
import { list, listOf, onlyExpand, type Route, retrieve, route } from '../route';
import { namedCard } from '../test-cards';

export const paymentMethodRoutes: Route[] = [
  route(
    'POST /payment_methods',
    z.strictObject({
      type: z.literal('card'),
      card: z.strictObject({ token: text }),
      metadata: metadata.optional(),
      expand,
    }),
    async (store, { card, metadata: given }) => {
      const number = namedCard(card.token);
      if (!number) throw notCovered(`the token ${card.token}; use one of Stripe's, such as tok_visa`, 'card[token]');
      const method = await saveCard(store, number);
      return store.save({ ...method, metadata: mergeMetadata({}, given) });
    },
  ),
  list('/payment_methods', 'payment_method', { customer: text.optional(), type: text.optional() }),
  retrieve('/payment_methods', 'payment_method'),
  route(
    'POST /payment_methods/:id/attach',
    z.strictObject({ customer: text, expand }),
    async (store, given, { id }) => {
      const { customer } = given;
      await store.enter(customer, { param: 'customer' });
      return attachNamed(store, id, customer);
    },
  ),
  route('POST /payment_methods/:id/detach', onlyExpand, async (store, _params, { id }) =>
    detachMethod(store, await store.get('payment_method', id)),
  ),
  route(
    'GET /customers/:id/payment_methods',
    z.strictObject({ ...listParameters, type: text.optional() }),
    async (store, { type, expand: _expand, ...query }, { id }) => {
      const { id: customer } = await store.get('customer', id);
      return listOf(
        `/v1/customers/${customer}/payment_methods`,
        await store.page('payment_method', { ...query, where: { customer, type } }),
      );
    },
  ),
];
