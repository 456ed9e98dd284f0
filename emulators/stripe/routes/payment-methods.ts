// Saved cards and bank accounts.
import { z } from 'zod';
import { attachNamed, detachMethod, saveCard } from '../billing/payment-methods';
import { notCovered } from '../errors';
import { expand, mergeMetadata, metadata, text } from '../parameters';
import { list, listOfCustomer, onlyExpand, type Route, retrieve, route } from '../route';
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
  listOfCustomer('payment_methods', 'payment_method', { type: text.optional() }),
];
