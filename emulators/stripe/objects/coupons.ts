import { z } from 'zod';
import { createId } from '../../core/ids';
import { currency, expand, flag, integer, mergeMetadata, metadata, percentage, text } from '../parameters';
import type { ApiObject } from '../wire';
import { build } from './build';

type Coupon = ApiObject<'coupon'>;
type PromotionCode = ApiObject<'promotion_code'>;

export const couponName = text.max(40);

export const newCoupon = z.strictObject({
  id: text.optional(),
  name: couponName.optional(),
  percent_off: percentage.refine((value) => value > 0, 'must be greater than 0').optional(),
  amount_off: integer(1).optional(),
  currency: currency.optional(),
  duration: z.enum(['forever', 'once', 'repeating']).default('once'),
  duration_in_months: integer(1).optional(),
  max_redemptions: integer(1).optional(),
  redeem_by: integer().optional(),
  metadata: metadata.optional(),
  expand,
});

export const buildCoupon = (given: z.output<typeof newCoupon> & { id: string }, now: number): Coupon =>
  build('coupon', {
    id: given.id,
    amount_off: given.amount_off,
    created: now,
    currency: given.amount_off === undefined ? null : (given.currency ?? null),
    duration: given.duration,
    duration_in_months: given.duration_in_months,
    max_redemptions: given.max_redemptions,
    metadata: mergeMetadata({}, given.metadata),
    name: given.name,
    percent_off: given.percent_off,
    redeem_by: given.redeem_by,
    times_redeemed: 0,
    valid: true,
  });

export const newPromotionCode = z.strictObject({
  promotion: z.strictObject({ type: z.literal('coupon'), coupon: text }),
  code: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,500}$/)
    .optional(),
  active: flag.optional(),
  customer: text.optional(),
  expires_at: integer().optional(),
  max_redemptions: integer(1).optional(),
  restrictions: z
    .strictObject({
      first_time_transaction: flag.optional(),
      minimum_amount: integer(1).optional(),
      minimum_amount_currency: currency.optional(),
    })
    .optional(),
  metadata: metadata.optional(),
  expand,
});

export const buildPromotionCode = (
  given: z.output<typeof newPromotionCode> & { code: string },
  now: number,
): PromotionCode =>
  build('promotion_code', {
    id: createId('promo', 24),
    active: given.active ?? true,
    code: given.code,
    created: now,
    customer: given.customer,
    expires_at: given.expires_at,
    max_redemptions: given.max_redemptions,
    metadata: mergeMetadata({}, given.metadata),
    promotion: { coupon: given.promotion.coupon, type: 'coupon' },
    restrictions: {
      first_time_transaction: given.restrictions?.first_time_transaction ?? false,
      minimum_amount: given.restrictions?.minimum_amount ?? null,
      minimum_amount_currency: given.restrictions?.minimum_amount_currency ?? null,
    },
    times_redeemed: 0,
  });
