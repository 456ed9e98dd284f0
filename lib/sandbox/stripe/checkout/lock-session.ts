import 'server-only';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

/** A session under lock, in its customer's world. The customer's lock comes first, as everywhere. */
export async function lockSession(store: Store, id: string): Promise<ApiObject<'checkout.session'>> {
  const { customer, customer_email: email } = await store.get('checkout.session', id);
  if (customer) await store.enter(customer);
  else store.subject = email?.toLowerCase() ?? '';
  return store.lock('checkout.session', id);
}
