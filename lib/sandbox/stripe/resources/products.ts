import 'server-only';
import { z } from 'zod';
import { createdFilter, emptyOr, expand, flag, listParameters, mergeMetadata, metadata, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { emitEvent } from '../emit-event';
import { buildProduct } from '../objects/product';
import { listPage } from './list-page';

export const newProduct = {
  name: text,
  active: flag.optional(),
  description: emptyOr(text).optional(),
  metadata: metadata.optional(),
};

export const productRoutes: Route[] = [
  route('POST /v1/products', {
    params: z.strictObject({ ...newProduct, id: text.optional(), expand }),
    handle: async (store, given) => {
      const product = buildProduct({ ...given, metadata: mergeMetadata({}, given.metadata) }, store.now);
      await store.insert(product);
      emitEvent(store, 'product.created', product);
      return product;
    },
  }),
  route('GET /v1/products', {
    params: z.strictObject({
      ...listParameters,
      active: flag.optional(),
      ids: z.array(text).optional(),
      created: createdFilter,
    }),
    handle: (store, { active, ids, ...query }) =>
      listPage(store, 'product', '/v1/products', { ...query, where: { active, id: ids } }),
  }),
  route('GET /v1/products/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('product', id),
  }),
  route('POST /v1/products/:id', {
    params: z.strictObject({ ...newProduct, name: text.optional(), expand }),
    handle: async (store, { metadata: change, expand: _expand, ...given }, { id }) => {
      const product = await store.lock('product', id);
      Object.assign(product, given, { metadata: mergeMetadata(product.metadata, change), updated: store.now });
      await store.save(product);
      emitEvent(store, 'product.updated', product);
      return product;
    },
  }),
];
