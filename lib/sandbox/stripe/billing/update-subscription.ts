import 'server-only';
import { changedFields } from '../api/changed-fields';
import { mergeMetadata } from '../api/parameters';
import { emitEvent } from '../emit-event';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { changePlan } from './change-plan';
import { periodEnd } from './subscription-state';

export type SubscriptionUpdate = {
  cancel_at_period_end?: boolean | undefined;
  default_payment_method?: string | undefined;
  description?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
  items?: { id: string; price: string; quantity?: number | undefined }[] | undefined;
  proration_behavior?: 'always_invoice' | 'create_prorations' | 'none' | undefined;
};

/** Changes what is given, leaves the rest, and says so in one event. */
export async function updateSubscription(
  store: Store,
  subscription: ApiObject<'subscription'>,
  given: SubscriptionUpdate,
): Promise<ApiObject<'subscription'>> {
  const before = structuredClone(subscription);
  subscription.metadata = mergeMetadata(subscription.metadata, given.metadata);
  if (given.description !== undefined) subscription.description = given.description;
  if (given.default_payment_method) {
    const method = await store.get('payment_method', given.default_payment_method, 'default_payment_method');
    subscription.default_payment_method = method.id;
  }
  if (given.cancel_at_period_end !== undefined) endAtPeriodEnd(subscription, given.cancel_at_period_end, store.now);
  await store.save(subscription);
  const [item] = given.items ?? [];
  if (item)
    await changePlan(store, subscription, { ...item, proration: given.proration_behavior ?? 'create_prorations' });
  emitEvent(store, 'customer.subscription.updated', subscription, changedFields(before, subscription));
  return subscription;
}

/** Ends it when the period does, or takes that back. */
function endAtPeriodEnd(subscription: ApiObject<'subscription'>, ends: boolean, now: number): void {
  subscription.cancel_at_period_end = ends;
  subscription.cancel_at = ends ? periodEnd(subscription) : null;
  subscription.canceled_at = ends ? now : null;
  subscription.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    reason: ends ? 'cancellation_requested' : null,
  };
}
