// What the payments after Checkout cost: a coupon may lower some of them, or all.
import type { ApiObject } from '../wire';
import { addInterval, type Cadence } from './periods';
import { discountOf } from './taxes';

type Coupon = Pick<ApiObject<'coupon'>, 'amount_off' | 'percent_off' | 'duration' | 'duration_in_months'>;

/** A price of a period in minor units, before tax, and the first payment at it (Unix seconds). */
export type Renewal = { amount: number; from: number };

type Item = { price: Pick<ApiObject<'price'>, 'recurring' | 'unit_amount'>; quantity: number };

/** What the recurring items cost from the next payment on. None recurs: an empty list. */
export function renewalsOf(
  items: Item[],
  coupon: Coupon | null,
  times: { start: number; trialEnd: number | null },
): Renewal[] {
  const recurring = items.filter(({ price }) => price.recurring);
  const cadence = recurring[0]?.price.recurring; // all have the same: Checkout takes no others
  if (!cadence) return [];
  const amount = recurring.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0);
  return planRenewals({ amount, cadence, coupon, ...times });
}

type NewSubscription = {
  amount: number;
  cadence: Cadence;
  coupon: Coupon | null;
  /** Unix seconds. */
  start: number;
  trialEnd: number | null;
};

/** The price of the next payment, and where a discount ends after it, the price from then on. */
export function planRenewals({ amount, cadence, coupon, start, trialEnd }: NewSubscription): Renewal[] {
  const next = trialEnd ?? addInterval(start, cadence);
  const discounted = { amount: amount - discountOf(coupon, amount), from: next };
  if (!coupon || coupon.duration === 'forever') return [discounted];
  const months = coupon.duration_in_months ?? 0;
  const end = addInterval(start, { interval: 'month', interval_count: months });
  // A discount of one payment is used up by the first, and by none of the trial.
  const isDiscounted = (time: number) => (coupon.duration === 'once' ? trialEnd !== null && time === next : time < end);
  let from = next;
  while (isDiscounted(from)) from = addInterval(from, cadence, trialEnd ?? start);
  return from === next ? [{ amount, from }] : [discounted, { amount, from }];
}
