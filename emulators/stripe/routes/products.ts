import { z } from 'zod';
import { newProduct } from '../billing/prices';
import { buildProduct } from '../objects/catalog';
import { expand, flag, mergeMetadata, text } from '../parameters';
import { list, type Route, retrieve, route } from '../route';

export const productRoutes: Route[] = [
  route('POST /products', z.strictObject({ ...newProduct, id: text.optional(), expand }), async (store, given) => {
    const product = buildProduct({ ...given, metadata: mergeMetadata({}, given.metadata) }, store.now);
    await store.insert(product);
    store.emit('product.created', product);
    return product;
  }),
  list('/products', 'product', { active: flag.optional(), ids: z.array(text).optional() }, ({ active, ids }) => ({
    active,
    id: ids,
  })),
  retrieve('/products', 'product'),
  route(
    'POST /products/:id',
    z.strictObject({ ...newProduct, name: text.optional(), expand }),
    async (store, { metadata: change, expand: _expand, ...given }, { id }) => {
      const product = await store.get('product', id);
      Object.assign(product, given, { metadata: mergeMetadata(product.metadata, change), updated: store.now });
      await store.save(product);
      store.emit('product.updated', product);
      return product;
    },
  ),
];
