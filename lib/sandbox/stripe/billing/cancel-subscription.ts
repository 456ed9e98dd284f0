import 'server-only';
import { invalidRequest } from '../api/stripe-fault';
import { emitEvent } from '../emit-event';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

/** Ends it now. What was paid stays paid. */
export async function cancelSubscription(
  store: Store,
  subscription: ApiObject<'subscription'>,
  reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested',
): Promise<ApiObject<'subscription'>> {
  if (subscription.status === 'canceled') {
    throw invalidRequest(`No such subscription: '${subscription.id}'`, { param: 'id', code: 'resource_missing' });
  }
  subscription.status = 'canceled';
  subscription.canceled_at ??= store.now;
  subscription.ended_at = store.now;
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
  await store.save(subscription, { dueAt: null });
  emitEvent(store, 'customer.subscription.deleted', subscription);
  return subscription;
}
