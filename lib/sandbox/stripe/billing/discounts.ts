import type { ApiObject } from '../wire';

/** What a coupon takes off, in minor units: never more than there is. */
export function discountOf(coupon: ApiObject<'coupon'> | null, subtotal: number): number {
  if (!coupon) return 0;
  const off =
    coupon.percent_off !== null ? Math.round((subtotal * coupon.percent_off) / 100) : (coupon.amount_off ?? 0);
  return Math.min(off, Math.max(subtotal, 0));
}
