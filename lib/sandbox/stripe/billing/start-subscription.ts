import 'server-only';
import { newId } from '../api/new-id';
import { emitEvent } from '../emit-event';
import type { SessionItem } from '../objects/checkout-session';
import { buildSubscription } from '../objects/subscription';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { discountOf } from './discounts';
import { issueInvoice } from './issue-invoice';
import { subscriptionLines } from './subscription-lines';
import { periodEnd, type SubscriptionState } from './subscription-state';

type Start = {
  customer: ApiObject<'customer'>;
  items: SessionItem[];
  paymentMethod: string | null;
  metadata: Record<string, string>;
  description: string | null;
  trialDays: number | null;
  coupon: string | null;
  promotionCode: string | null;
};

/** A subscription and its first invoice, which is still to be settled. */
export async function startSubscription(
  store: Store,
  given: Start,
): Promise<{ subscription: ApiObject<'subscription'>; invoice: ApiObject<'invoice'> }> {
  const recurring = given.items.filter(({ price }) => price.recurring);
  const subscription = buildSubscription({ ...given, customer: given.customer.id, items: recurring }, store.now);
  const coupon = given.coupon ? await store.get('coupon', given.coupon) : null;
  const lines = await subscriptionLines(store, subscription, { isTrial: subscription.status === 'trialing' });
  for (const { price, quantity, description, taxRates } of given.items.filter((item) => !item.price.recurring)) {
    lines.push({
      price,
      quantity,
      amount: (price.unit_amount ?? 0) * quantity,
      description,
      period: { start: store.now, end: store.now },
      subscriptionItem: null,
      isProration: false,
      taxRates,
    });
  }
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const off = discountOf(coupon, subtotal);
  const discount = coupon ? newId('di') : null;
  const lasts = coupon !== null && coupon.duration !== 'once';
  if (discount && lasts) subscription.discounts = [discount];
  const state: SubscriptionState = { coupon: lasts ? coupon.id : null, couponStart: store.now, discount };
  await store.insert(subscription, { internal: state, dueAt: periodEnd(subscription) });
  const invoice = await issueInvoice(store, {
    customer: given.customer,
    subscription,
    billingReason: 'subscription_create',
    currency: subscription.currency,
    lines,
    discount: discount && off > 0 ? { id: discount, amount: off } : null,
    metadata: {},
  });
  subscription.latest_invoice = invoice.id;
  await store.save(subscription);
  emitEvent(store, 'customer.subscription.created', subscription);
  return { subscription, invoice };
}
