import 'server-only';
import { emitEvent } from '../emit-event';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { addInterval } from './add-interval';
import { cancelSubscription } from './cancel-subscription';
import { collectInvoice } from './collect-invoice';
import { discountOf } from './discounts';
import { issueInvoice } from './issue-invoice';
import { subscriptionLines } from './subscription-lines';
import { periodEnd, type SubscriptionState } from './subscription-state';

const SECONDS_PER_MONTH = 30.44 * 86_400;

/**
 * What falls due on a subscription at this moment of its customer's clock: the next attempt at an overdue invoice, the
 * end that was asked for, or the next period with its invoice.
 */
export async function runDueSubscription(store: Store, subscription: ApiObject<'subscription'>): Promise<void> {
  const overdue = subscription.status === 'past_due' ? await overdueInvoice(store, subscription) : null;
  if (overdue) {
    await retryOverdue(store, subscription, overdue);
    return;
  }
  if (subscription.cancel_at_period_end) {
    await cancelSubscription(store, subscription);
    return;
  }
  await renew(store, subscription);
}

async function overdueInvoice(store: Store, subscription: ApiObject<'subscription'>) {
  const invoice = subscription.latest_invoice ? await store.get('invoice', subscription.latest_invoice) : null;
  return invoice?.status === 'open' ? invoice : null;
}

async function retryOverdue(
  store: Store,
  subscription: ApiObject<'subscription'>,
  invoice: ApiObject<'invoice'>,
): Promise<void> {
  if (invoice.next_payment_attempt === null) {
    await cancelSubscription(store, subscription, 'payment_failed');
    return;
  }
  const isPaid = await collectInvoice(store, subscription, invoice);
  if (isPaid) emitEvent(store, 'customer.subscription.updated', subscription, { status: 'past_due' });
}

async function renew(store: Store, subscription: ApiObject<'subscription'>): Promise<void> {
  const before = {
    items: structuredClone(subscription.items),
    latest_invoice: subscription.latest_invoice,
    status: subscription.status,
  };
  const anchor = subscription.billing_cycle_anchor;
  for (const item of subscription.items.data) {
    item.current_period_start = item.current_period_end;
    if (item.price.recurring) {
      item.current_period_end = addInterval(item.current_period_end, item.price.recurring, anchor);
    }
  }
  if (subscription.status === 'trialing') subscription.status = 'active';

  const lines = await subscriptionLines(store, subscription);
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const { coupon, discount } = await discountThatStillApplies(store, subscription);
  const off = discountOf(coupon, subtotal);
  const invoice = await issueInvoice(store, {
    customer: await store.get('customer', subscription.customer),
    subscription,
    billingReason: 'subscription_cycle',
    currency: subscription.currency,
    lines,
    discount: discount && off > 0 ? { id: discount, amount: off } : null,
    metadata: {},
  });
  subscription.latest_invoice = invoice.id;
  await store.save(subscription, { dueAt: periodEnd(subscription) });
  await collectInvoice(store, subscription, invoice);
  const previous = subscription.status === before.status ? { ...before, status: undefined } : before;
  emitEvent(store, 'customer.subscription.updated', subscription, previous);
}

async function discountThatStillApplies(
  store: Store,
  subscription: ApiObject<'subscription'>,
): Promise<{ coupon: ApiObject<'coupon'> | null; discount: string | null }> {
  const { coupon: id, couponStart, discount } = await store.internal<SubscriptionState>(subscription.id);
  const coupon = id ? await store.get('coupon', id) : null;
  if (coupon?.duration !== 'repeating') return { coupon, discount };
  const monthsGone = Math.round((store.now - couponStart) / SECONDS_PER_MONTH);
  if (monthsGone < (coupon.duration_in_months ?? 0)) return { coupon, discount };
  subscription.discounts = [];
  return { coupon: null, discount: null };
}
