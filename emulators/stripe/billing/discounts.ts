// Discounts: what a coupon takes off for a customer, and which discount a subscription still has.
import { buildDiscount, type NewDiscount, type SubscriptionItem } from '../objects/subscriptions';
import { discountOf, shareOut } from '../pricing/taxes';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { redeem } from './redemptions';

type Subscription = ApiObject<'subscription'>;
export type Discount = { id: string; coupon: ApiObject<'coupon'> };

/** What a subscription stores besides its API form, by the IDs of its items. */
export type SubscriptionState = {
  /** What was taken off the current period. */
  discounted?: Record<string, number>;
  /** What the current period was billed at, after the discount: a change credits the unused part of it. */
  billed?: Record<string, number>;
};

/** What a discount stores besides its API form: its coupon's terms, whatever happens to the coupon. */
type DiscountState = { coupon?: ApiObject<'coupon'> };

/** Redeems a coupon: the discount is what it takes off. */
export async function giveDiscount(
  store: Store,
  couponId: string,
  given: Omit<NewDiscount, 'coupon'>,
): Promise<Discount> {
  const coupon = await store.get('coupon', couponId);
  const internal: DiscountState = { coupon };
  const { id } = await store.insert(buildDiscount({ ...given, coupon }, store.now), { internal });
  await redeem(store, couponId, given.promotionCode);
  return { id, coupon };
}

/** The discount of what is invoiced now, or null. One that has ended is taken from the subscription. */
export async function currentDiscount(store: Store, subscription: Subscription): Promise<Discount | null> {
  const [id] = subscription.discounts;
  const discount = id ? await store.get('discount', id) : null;
  if (discount?.end && discount.end <= store.now) {
    subscription.discounts = [];
    return null;
  }
  if (!discount) return null;
  const { coupon } = await store.internal<DiscountState>(discount.id);
  return { id: discount.id, coupon: coupon ?? (await couponOf(store, discount)) };
}

/** For data of an earlier version, which does not store the terms with the discount. */
async function couponOf(store: Store, { source }: ApiObject<'discount'>): Promise<ApiObject<'coupon'>> {
  const id = source.coupon ?? '';
  return (await store.find('deleted_coupon', id)) ?? (await store.get('coupon', id));
}

/** What a discount takes off a whole period of each item, by its ID. */
export function discountByItem({ items }: Subscription, discount: Discount | null): Record<string, number> {
  const amounts = items.data.map(amountOf);
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  const shares = shareOut(discountOf(discount?.coupon ?? null, whole), amounts);
  return Object.fromEntries(items.data.map(({ id }, index) => [id, shares[index] ?? 0]));
}

/** What a whole period of an item costs before discount. */
export const amountOf = ({ price, quantity }: SubscriptionItem): number => (price.unit_amount ?? 0) * (quantity ?? 1);
