// Prices and products, created on their own or inline in a request that needs them, and tax rates.
import { z } from 'zod';
import { invalidRequest, missingParam } from '../errors';
import { buildPlan, buildPrice, buildProduct, inlinePrice, type namedPrice } from '../objects/catalog';
import { text } from '../parameters';
import { limitProblem } from '../pricing/limits';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

export async function createProduct(
  store: Store,
  given: Parameters<typeof buildProduct>[0],
): Promise<ApiObject<'product'>> {
  const product = await store.insert(buildProduct(given, store.now));
  store.emit('product.created', product);
  return product;
}

/** Creates a price, and its product if that is defined inline, too. */
export async function createPrice(
  store: Store,
  { product, product_data, ...given }: z.output<typeof namedPrice>,
): Promise<ApiObject<'price'>> {
  if (!product && !product_data) {
    throw missingParam('product');
  }
  const problem = limitProblem(given.unit_amount, given.currency);
  if (problem) throw invalidRequest(problem.message, { ...problem, param: 'unit_amount' });
  const owner = product_data
    ? await createProduct(store, product_data)
    : await store.get('product', product ?? '', 'product');
  const price = buildPrice({ ...given, product: owner.id }, store.now);
  await store.insert(price);
  store.emit('price.created', price);
  return price;
}

/** Changes a price, also in the subscriptions that show it. */
export async function updatePrice(
  store: Store,
  price: ApiObject<'price'>,
  change: () => unknown,
): Promise<ApiObject<'price'>> {
  await store.update('price.updated', price, change);
  const { id } = price;
  for (const subscription of await store.all('subscription', { items: { data: [{ price: { id } }] } })) {
    for (const item of subscription.items.data) {
      if (item.price.id === id) Object.assign(item, { price, plan: buildPlan(price) });
    }
    await store.save(subscription);
  }
  return price;
}

/** A price that is not archived. */
export async function activePrice(store: Store, id: string, param: string): Promise<ApiObject<'price'>> {
  const price = await store.get('price', id, param);
  if (price.active) return price;
  throw invalidRequest('The price specified is inactive. This field only accepts active prices.', { param });
}

/** A price that can be sold. Archiving a product leaves its prices active. */
export async function sellablePrice(store: Store, id: string, param: string): Promise<ApiObject<'price'>> {
  const price = await activePrice(store, id, param);
  if ((await store.get('product', price.product)).active) return price;
  const message = `Price \`${id}\` is not available to be purchased because its product is not active.`;
  throw invalidRequest(message, { param });
}

/** A price that fits a subscription's other prices. */
async function recurringPrice(
  store: Store,
  id: string,
  { param, currency }: { param: string; currency: string | undefined },
): Promise<ApiObject<'price'>> {
  const price = await sellablePrice(store, id, param);
  if (!price.recurring) throw invalidRequest('The price is not recurring.', { param });
  if (currency && price.currency !== currency) {
    throw invalidRequest('All prices of a subscription must have the same currency.', { param });
  }
  return price;
}

/** @throws if another item of the subscription has this price. @param param the parameter of the item */
export function refuseSamePrice(
  others: Array<{ price: ApiObject<'price'> }>,
  { id }: { id: string },
  param: string,
): void {
  if (!others.some(({ price }) => price.id === id)) return;
  throw invalidRequest(
    `Cannot add multiple subscription items with the same price: ${id}. Change the quantity of the item instead.`,
    { param: `${param}[price]` },
  );
}

/** The price of an item of a subscription: by its ID, or defined inline. */
type ItemPrice = { price?: string | undefined; price_data?: z.output<typeof itemPriceData> | undefined };

const { product_data: _data, product: _product, ...writtenPrice } = inlinePrice;
export const itemPriceData = z.strictObject({ ...writtenPrice, product: text });

/** @param options.param the parameter of the item */
export async function itemPrice(
  store: Store,
  { price, price_data }: ItemPrice,
  { param, currency }: { param: string; currency: string | undefined },
): Promise<ApiObject<'price'>> {
  if (!price && !price_data) {
    throw missingParam(`${param}[price]`);
  }
  const id = price_data ? (await createPrice(store, price_data)).id : (price ?? '');
  return recurringPrice(store, id, { param: `${param}[price]`, currency });
}

/** The rates with these IDs. `param` names the parameter that asked for them. */
export async function loadTaxRates(store: Store, ids: string[], param: string): Promise<ApiObject<'tax_rate'>[]> {
  const rates: ApiObject<'tax_rate'>[] = [];
  for (const id of ids) rates.push(await store.get('tax_rate', id, param));
  return rates;
}

type LookupKey = { lookup_key?: string | undefined; transfer_lookup_key?: boolean | undefined };

/** A lookup key belongs to one price: another price that has it keeps it, or gives it up if the request says so. */
export async function takeLookupKey(
  store: Store,
  { lookup_key: key, transfer_lookup_key: isTransfer }: LookupKey,
  price: string | null,
): Promise<void> {
  const [holder] = key ? await store.all('price', { lookup_key: key }) : [];
  if (!holder || holder.id === price) return;
  if (!isTransfer) {
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, {
      param: 'lookup_key',
      code: 'resource_already_exists',
    });
  }
  await updatePrice(store, holder, () => Object.assign(holder, { lookup_key: null }));
}
