import { createId } from '../../core/ids';
import type { ApiObject } from '../wire';

type Coupon = ApiObject<'coupon'>;
type PromotionCode = ApiObject<'promotion_code'>;

type NewCoupon = {
  id: string;
  name?: string | undefined;
  percent_off?: number | undefined;
  amount_off?: number | undefined;
  currency?: string | undefined;
  duration: Coupon['duration'];
  duration_in_months?: number | undefined;
  max_redemptions?: number | undefined;
  redeem_by?: number | undefined;
  metadata: Record<string, string>;
};

export const buildCoupon = (given: NewCoupon, now: number): Coupon => ({
  id: given.id,
  object: 'coupon',
  amount_off: given.amount_off ?? null,
  created: now,
  currency: given.amount_off === undefined ? null : (given.currency ?? null),
  duration: given.duration,
  duration_in_months: given.duration_in_months ?? null,
  livemode: false,
  max_redemptions: given.max_redemptions ?? null,
  metadata: given.metadata,
  name: given.name ?? null,
  percent_off: given.percent_off ?? null,
  redeem_by: given.redeem_by ?? null,
  times_redeemed: 0,
  valid: true,
});

type NewPromotionCode = {
  coupon: string;
  code: string;
  active?: boolean | undefined;
  customer?: string | undefined;
  expires_at?: number | undefined;
  max_redemptions?: number | undefined;
  restrictions?:
    | {
        first_time_transaction?: boolean | undefined;
        minimum_amount?: number | undefined;
        minimum_amount_currency?: string | undefined;
      }
    | undefined;
  metadata: Record<string, string>;
};

export const buildPromotionCode = (given: NewPromotionCode, now: number): PromotionCode => ({
  id: createId('promo', 24),
  object: 'promotion_code',
  active: given.active ?? true,
  code: given.code,
  created: now,
  customer: given.customer ?? null,
  customer_account: null,
  expires_at: given.expires_at ?? null,
  livemode: false,
  max_redemptions: given.max_redemptions ?? null,
  metadata: given.metadata,
  promotion: { coupon: given.coupon, type: 'coupon' },
  restrictions: {
    first_time_transaction: given.restrictions?.first_time_transaction ?? false,
    minimum_amount: given.restrictions?.minimum_amount ?? null,
    minimum_amount_currency: given.restrictions?.minimum_amount_currency ?? null,
  },
  times_redeemed: 0,
});
