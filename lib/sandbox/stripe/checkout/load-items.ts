import type { SessionItem } from '../objects/checkout-session';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { CheckoutPlan } from './checkout-plan';

/** A session's items with their prices and tax rates as they are now. */
export async function loadItems(store: Store, { items }: CheckoutPlan): Promise<SessionItem[]> {
  const loaded: SessionItem[] = [];
  for (const { price, quantity, description, taxRates } of items) {
    const rates = await loadTaxRates(store, taxRates, 'tax_rates');
    loaded.push({ price: await store.get('price', price), quantity, description, taxRates: rates });
  }
  return loaded;
}

/** The rates with these IDs. `param` names the parameter that asked for them. */
export async function loadTaxRates(store: Store, ids: string[], param: string): Promise<ApiObject<'tax_rate'>[]> {
  const rates: ApiObject<'tax_rate'>[] = [];
  for (const id of ids) rates.push(await store.get('tax_rate', id, param));
  return rates;
}
