import { z } from 'zod';
import { createPrice, inlinePrice } from '../billing/prices';
import { invalidRequest } from '../errors';
import { currency, expand, flag, mergeMetadata, metadata, text } from '../parameters';
import { list, type Route, retrieve, route } from '../route';

const changeable = {
  active: flag.optional(),
  lookup_key: text.max(200).optional(),
  nickname: text.optional(),
  metadata: metadata.optional(),
  expand,
};

export const priceRoutes: Route[] = [
  route(
    'POST /prices',
    z.strictObject({ ...inlinePrice, ...changeable, transfer_lookup_key: flag.optional() }),
    async (store, { transfer_lookup_key, expand: _expand, ...given }) => {
      const [owner] = given.lookup_key ? await store.all('price', { lookup_key: given.lookup_key }) : [];
      if (owner && !transfer_lookup_key) {
        throw invalidRequest(
          `A price (\`${owner.id}\`) already uses that lookup key. Pass transfer_lookup_key=true to move it.`,
          { param: 'lookup_key', code: 'resource_already_exists' },
        );
      }
      if (owner) await store.save({ ...owner, lookup_key: null });
      return createPrice(store, given);
    },
  ),
  list(
    '/prices',
    'price',
    {
      active: flag.optional(),
      currency: currency.optional(),
      product: text.optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
      lookup_keys: z.array(text).max(10).optional(),
    },
    ({ lookup_keys, ...where }) => ({ ...where, lookup_key: lookup_keys }),
  ),
  retrieve('/prices', 'price'),
  route(
    'POST /prices/:id',
    z.strictObject(changeable),
    async (store, { metadata: change, expand: _expand, ...given }, { id }) => {
      const price = await store.get('price', id);
      Object.assign(price, given, { metadata: mergeMetadata(price.metadata, change) });
      await store.save(price);
      store.emit('price.updated', price);
      return price;
    },
  ),
];
