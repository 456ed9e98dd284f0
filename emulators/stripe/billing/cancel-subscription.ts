// The end of a subscription: now, or at the end of its period.
import { z } from 'zod';
import { resourceMissing } from '../errors';
import { hasEnded } from '../objects/subscriptions';
import { cancellationReason, emptyOr, text } from '../parameters';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { collectUnlessPaused, overdueInvoice } from './collection';
import { currentDiscount } from './discounts';
import { invoiceSubscription, stopCollection } from './invoices';
import { itemsOf } from './pending-items';

type Subscription = ApiObject<'subscription'>;
type Details = NonNullable<Subscription['cancellation_details']>;

/** Why the customer leaves. */
export const cancellationDetails = z.strictObject({
  comment: emptyOr(text).exactOptional(),
  feedback: emptyOr(cancellationReason).exactOptional(),
});

type Feedback = z.output<typeof cancellationDetails>;

export const NO_FEEDBACK = { comment: null, feedback: null, feedback_option: null };

/**
 * Ends it now. What was paid stays paid, and what is overdue stays open. Prorations that wait for an invoice are dropped;
 * other items are on the customer's next one.
 */
export async function cancelSubscription(
  store: Store,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested',
  feedback: Feedback = {},
): Promise<Subscription> {
  if (hasEnded(subscription)) throw resourceMissing('subscription', subscription.id);
  for (const item of await itemsOf(store, subscription)) {
    if (item.proration) await store.remove('invoiceitem', item.id);
  }
  await end(store, subscription, { ...feedback, reason });
  return subscription;
}

/** Ends it with its period, as agreed. A last invoice bills the pending items. */
export async function endWithPeriod(store: Store, subscription: Subscription): Promise<void> {
  await end(store, subscription, { reason: 'cancellation_requested' });
  if ((await itemsOf(store, subscription)).length === 0) return;
  const invoice = await invoiceSubscription(store, subscription, {
    customer: await store.get('customer', subscription.customer),
    billingReason: 'subscription_cycle',
    periodStart: subscription.items.data[0]?.current_period_start,
    lines: [],
    discount: await currentDiscount(store, subscription),
  });
  await collectUnlessPaused(store, subscription, invoice);
}

async function end(store: Store, subscription: Subscription, details: Feedback & Pick<Details, 'reason'>) {
  const overdue = await overdueInvoice(store, subscription);
  subscription.status = 'canceled';
  subscription.canceled_at ??= store.now;
  subscription.ended_at = store.now;
  subscription.cancellation_details = { ...NO_FEEDBACK, ...subscription.cancellation_details, ...details };
  await store.save(subscription, { dueAt: null });
  store.emit('customer.subscription.deleted', subscription);
  if (overdue) await stopCollection(store, overdue);
}
