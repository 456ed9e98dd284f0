import type { SessionItem } from '../objects/checkout-session';
import type { Store } from '../store';
import type { CheckoutPlan } from './checkout-plan';

/** A session's items with their prices as they are now. */
export async function loadItems(store: Store, { items }: CheckoutPlan): Promise<SessionItem[]> {
  const loaded: SessionItem[] = [];
  for (const { price, quantity, description } of items) {
    loaded.push({ price: await store.get('price', price), quantity, description });
  }
  return loaded;
}
