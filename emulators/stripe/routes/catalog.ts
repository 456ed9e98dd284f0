// What is sold: products, their prices, and the tax rates that line items name.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { activePrice, createPrice, createProduct, takeLookupKey, updatePrice } from '../billing/prices';
import { alreadyExists, invalidRequest } from '../errors';
import { buildTaxRate, inlinePrice, newProduct, newTaxRate, taxRate } from '../objects/catalog';
import { applyUpdate, currency, expand, flag, metadata, text } from '../parameters';
import { list, type Route, retrieve, route, update } from '../route';
import { search } from '../search';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const { product: _product, product_data: _data, ...defaultPrice } = inlinePrice;

const productRoutes: Route[] = [
  route(
    'POST /products',
    z.strictObject({
      ...newProduct,
      id: text.optional(),
      default_price_data: z.strictObject({ ...defaultPrice, metadata: metadata.optional() }).optional(),
      expand,
    }),
    async (store, { default_price_data: priceData, ...given }) => {
      if (given.id && (await store.find('product', given.id))) throw alreadyExists('Product');
      const product = await createProduct(store, given);
      if (!priceData) return product;
      product.default_price = (await createPrice(store, { ...priceData, product: product.id })).id;
      return store.save(product);
    },
  ),
  search('/products', 'product'),
  list('/products', 'product', { active: flag.optional(), ids: z.array(text).optional() }, ({ active, ids }) => ({
    active,
    id: ids,
  })),
  retrieve('/products', 'product'),
  route(
    'POST /products/:id',
    z.strictObject({ ...newProduct, name: text.optional(), default_price: text.optional(), expand }),
    async (store, given, { id }) => {
      const product = await store.get('product', id);
      if (given.default_price) await checkDefaultPrice(store, product, given.default_price);
      return store.update('product.updated', product, (before) => {
        applyUpdate(product, given);
        if (!isDeepStrictEqual(product, before)) product.updated = store.now;
      });
    },
  ),
  route('DELETE /products/:id', z.strictObject({}), async (store, _params, { id }) => {
    const product = await store.get('product', id);
    if ((await store.all('price', { product: id })).length > 0) {
      throw invalidRequest('This product cannot be deleted because it has one or more user-created prices.');
    }
    await store.remove('product', id);
    store.emit('product.deleted', product);
    return { id, object: 'product', deleted: true };
  }),
];

async function checkDefaultPrice(store: Store, { id }: ApiObject<'product'>, price: string): Promise<void> {
  const param = 'default_price';
  const { product } = await activePrice(store, price, param);
  if (product !== id) throw invalidRequest(`The price ${price} does not belong to the product ${id}.`, { param });
}

const changeablePrice = {
  active: flag.optional(),
  lookup_key: text.max(200).optional(),
  transfer_lookup_key: flag.optional(),
  nickname: text.optional(),
  metadata: metadata.optional(),
  tax_behavior: inlinePrice.tax_behavior,
  expand,
};

const priceRoutes: Route[] = [
  route(
    'POST /prices',
    z.strictObject({ ...inlinePrice, ...changeablePrice }),
    async (store, { transfer_lookup_key, expand: _expand, ...given }) => {
      await takeLookupKey(store, { ...given, transfer_lookup_key }, null);
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
      recurring: z.strictObject({ interval: z.enum(['day', 'week', 'month', 'year']).optional() }).optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
      lookup_keys: z.array(text).max(10).optional(),
    },
    ({ lookup_keys, ...where }) => ({ ...where, lookup_key: lookup_keys }),
  ),
  search('/prices', 'price'),
  retrieve('/prices', 'price'),
  route(
    'POST /prices/:id',
    z.strictObject(changeablePrice),
    async (store, { transfer_lookup_key, ...given }, { id }) => {
      const price = await store.get('price', id);
      if (given.active === false) await refuseDefault(store, price);
      refuseOtherTax(price, given.tax_behavior);
      await takeLookupKey(store, { ...given, transfer_lookup_key }, id);
      return updatePrice(store, price, () => applyUpdate(price, given));
    },
  ),
];

async function refuseDefault(store: Store, { id, product: productId }: ApiObject<'price'>): Promise<void> {
  const product = await store.find('product', productId);
  if (product?.default_price !== id) return;
  throw invalidRequest('This price cannot be archived because it is the default price of its product.', {
    param: 'active',
  });
}

/** It cannot change once set: invoices may have been issued with it. */
function refuseOtherTax({ tax_behavior: current }: ApiObject<'price'>, given: string | undefined): void {
  if (!given || current === 'unspecified' || current === given) return;
  throw invalidRequest(`The tax behavior of this price is ${current} and cannot be changed.`, {
    param: 'tax_behavior',
  });
}

/** Automatic tax finds its rates by itself. */
const taxRateRoutes: Route[] = [
  route('POST /tax_rates', newTaxRate, (store, given) => store.insert(buildTaxRate(given, store.now))),
  list('/tax_rates', 'tax_rate', { active: flag.optional(), inclusive: flag.optional() }),
  retrieve('/tax_rates', 'tax_rate'),
  update('/tax_rates', 'tax_rate', { ...taxRate, display_name: taxRate.display_name.optional() }),
];

export const catalogRoutes: Route[] = [...productRoutes, ...priceRoutes, ...taxRateRoutes];
