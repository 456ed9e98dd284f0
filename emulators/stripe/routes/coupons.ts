// Coupons, and the promotion codes that customers type.
import { z } from 'zod';
import { createId } from '../../core/ids';
import { alreadyExists, invalidRequest } from '../errors';
import { amount, currency, expand, flag, integer, mergeMetadata, metadata, text } from '../parameters';
import { list, type Route, retrieve, route } from '../route';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const newCoupon = z.strictObject({
  id: text.optional(),
  name: text.max(40).optional(),
  percent_off: z.coerce.number<string>().gt(0).max(100).optional(),
  amount_off: amount.min(1).optional(),
  currency: currency.optional(),
  duration: z.enum(['forever', 'once', 'repeating']).default('once'),
  duration_in_months: integer.min(1).optional(),
  metadata: metadata.optional(),
  expand,
});

const newPromotionCode = z.strictObject({
  promotion: z.strictObject({ type: z.literal('coupon'), coupon: text }),
  code: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,500}$/)
    .optional(),
  active: flag.optional(),
  metadata: metadata.optional(),
  expand,
});

export const couponRoutes: Route[] = [
  route('POST /coupons', newCoupon, createCoupon),
  list('/coupons', 'coupon', {}),
  retrieve('/coupons', 'coupon'),
  route('POST /promotion_codes', newPromotionCode, createPromotionCode),
  list('/promotion_codes', 'promotion_code', { code: text.optional(), active: flag.optional() }),
  retrieve('/promotion_codes', 'promotion_code'),
];

async function createCoupon(store: Store, given: z.output<typeof newCoupon>): Promise<ApiObject<'coupon'>> {
  if ((given.percent_off === undefined) === (given.amount_off === undefined)) {
    throw invalidRequest('You must pass exactly one of percent_off and amount_off.', { param: 'percent_off' });
  }
  if (given.amount_off !== undefined && !given.currency) {
    throw invalidRequest('You must pass currency when passing amount_off.', { param: 'currency' });
  }
  if (given.duration === 'repeating' && !given.duration_in_months) {
    throw invalidRequest('You must pass duration_in_months for a repeating coupon.', { param: 'duration_in_months' });
  }
  const id = given.id ?? createId('', 8).slice(1);
  if (await store.find('coupon', id)) throw alreadyExists('Coupon');
  return store.insert({
    id,
    object: 'coupon',
    amount_off: given.amount_off ?? null,
    created: store.now,
    currency: given.amount_off === undefined ? null : (given.currency ?? null),
    duration: given.duration,
    duration_in_months: given.duration_in_months ?? null,
    livemode: false,
    max_redemptions: null,
    metadata: mergeMetadata({}, given.metadata),
    name: given.name ?? null,
    percent_off: given.percent_off ?? null,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  });
}

async function createPromotionCode(
  store: Store,
  given: z.output<typeof newPromotionCode>,
): Promise<ApiObject<'promotion_code'>> {
  const coupon = await store.get('coupon', given.promotion.coupon, 'promotion[coupon]');
  const code = given.code ?? createId('', 8).slice(1).toUpperCase();
  const taken = await store.all('promotion_code', { code, active: true });
  if (taken.length > 0) {
    throw invalidRequest('An active promotion code with this code already exists.', {
      param: 'code',
      code: 'resource_already_exists',
    });
  }
  return store.insert({
    id: createId('promo', 24),
    object: 'promotion_code',
    active: given.active ?? true,
    code,
    created: store.now,
    customer: null,
    customer_account: null,
    expires_at: null,
    livemode: false,
    max_redemptions: null,
    metadata: mergeMetadata({}, given.metadata),
    promotion: { coupon: coupon.id, type: 'coupon' },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  });
}
