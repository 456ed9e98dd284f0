import 'server-only';
import { emitEvent } from '../emit-event';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

/** Closes a session that nobody paid. */
export async function expireSession(
  store: Store,
  session: ApiObject<'checkout.session'>,
): Promise<ApiObject<'checkout.session'>> {
  session.status = 'expired';
  session.url = null;
  await store.save(session, { dueAt: null });
  emitEvent(store, 'checkout.session.expired', session);
  return session;
}
