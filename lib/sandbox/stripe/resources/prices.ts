import 'server-only';
import { z } from 'zod';
import {
  amount,
  createdFilter,
  expand,
  flag,
  integer,
  listParameters,
  mergeMetadata,
  metadata,
  text,
} from '../api/parameters';
import { type Route, route } from '../api/route';
import { invalidRequest } from '../api/stripe-fault';
import { emitEvent } from '../emit-event';
import { buildPrice } from '../objects/price';
import { buildProduct } from '../objects/product';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { listPage } from './list-page';
import { newProduct } from './products';

const currency = z
  .string()
  .regex(/^[a-z]{3}$/i)
  .transform((value) => value.toLowerCase());

const recurring = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: integer.min(1).max(36).default(1),
  usage_type: z.literal('licensed').optional(),
});

/** A price written out in a request: on its own, or in a session's line items. */
export const inlinePrice = {
  currency,
  unit_amount: amount,
  product: text.optional(),
  product_data: z.strictObject(newProduct).optional(),
  recurring: recurring.optional(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
};

const newPrice = z.strictObject({
  ...inlinePrice,
  active: flag.optional(),
  lookup_key: text.max(200).optional(),
  transfer_lookup_key: flag.optional(),
  nickname: text.optional(),
  metadata: metadata.optional(),
  expand,
});

export type NewPriceParameters = z.output<typeof newPrice>;

/** Makes a price, and its product where that is written out too. */
export async function createPrice(
  store: Store,
  { product, product_data, ...given }: Omit<NewPriceParameters, 'expand' | 'transfer_lookup_key'>,
): Promise<ApiObject<'price'>> {
  if (!product && !product_data) {
    throw invalidRequest('Missing required param: product.', { param: 'product', code: 'parameter_missing' });
  }
  const owner = product_data
    ? await store.insert(
        buildProduct({ ...product_data, metadata: mergeMetadata({}, product_data.metadata) }, store.now),
      )
    : await store.get('product', product ?? '', 'product');
  const price = buildPrice({ ...given, product: owner.id, metadata: mergeMetadata({}, given.metadata) }, store.now);
  await store.insert(price);
  emitEvent(store, 'price.created', price);
  return price;
}

export const priceRoutes: Route[] = [
  route('POST /v1/prices', {
    params: newPrice,
    handle: async (store, { transfer_lookup_key, expand: _expand, ...given }) => {
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
  }),
  route('GET /v1/prices', {
    params: z.strictObject({
      ...listParameters,
      active: flag.optional(),
      currency: currency.optional(),
      product: text.optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
      lookup_keys: z.array(text).max(10).optional(),
      created: createdFilter,
    }),
    handle: (store, { active, currency, product, type, lookup_keys, ...query }) =>
      listPage(store, 'price', '/v1/prices', {
        ...query,
        where: { active, currency, product, type, lookup_key: lookup_keys },
      }),
  }),
  route('GET /v1/prices/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('price', id),
  }),
  route('POST /v1/prices/:id', {
    params: z.strictObject({
      active: flag.optional(),
      lookup_key: text.max(200).optional(),
      nickname: text.optional(),
      metadata: metadata.optional(),
      expand,
    }),
    handle: async (store, { metadata: change, expand: _expand, ...given }, { id }) => {
      const price = await store.lock('price', id);
      Object.assign(price, given, { metadata: mergeMetadata(price.metadata, change) });
      await store.save(price);
      emitEvent(store, 'price.updated', price);
      return price;
    },
  }),
];
