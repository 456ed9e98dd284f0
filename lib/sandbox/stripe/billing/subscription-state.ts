import type { ApiObject } from '../wire';

/** What a subscription keeps beside its API form. */
export type SubscriptionState = {
  /** The coupon that still applies to what comes. */
  coupon: string | null;
  couponStart: number;
  /** The ID of the discount that the coupon gives. */
  discount: string | null;
};

/** The end of the current period, in Unix seconds: the earliest of its items'. */
export const periodEnd = (subscription: ApiObject<'subscription'>): number =>
  Math.min(...subscription.items.data.map((item) => item.current_period_end));
