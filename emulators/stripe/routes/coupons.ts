// Coupons, and the promotion codes that customers type.
import { z } from 'zod';
import { createId } from '../../core/ids';
import { AnyCase } from '../../core/objects';
import { expiry, isActive, switchOffCodes, updateCode } from '../billing/redemptions';
import { alreadyExists, invalidRequest } from '../errors';
import { buildCoupon, buildPromotionCode, couponName, newCoupon, newPromotionCode } from '../objects/coupons';
import { emptyOr, expand, flag, mergeMetadata, metadata, text } from '../parameters';
import { list, type Route, retrieve, route, update } from '../route';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

export const couponRoutes: Route[] = [
  route('POST /coupons', newCoupon, createCoupon),
  list('/coupons', 'coupon', {}),
  retrieve('/coupons', 'coupon'),
  update('/coupons', 'coupon', { name: emptyOr(couponName).optional() }, 'coupon.updated'),
  route('DELETE /coupons/:id', z.strictObject({}), async (store, _params, { id }) => {
    const coupon = await store.get('coupon', id);
    await switchOffCodes(store, coupon);
    await store.deleteCoupon(id);
    store.emit('coupon.deleted', coupon);
    return { id, object: 'coupon', deleted: true };
  }),
  route('POST /promotion_codes', newPromotionCode, createPromotionCode),
  list(
    '/promotion_codes',
    'promotion_code',
    { code: text.optional(), active: flag.optional(), coupon: text.optional(), customer: text.optional() },
    ({ code, coupon, ...where }) => ({ ...where, code: code && new AnyCase(code), promotion: coupon && { coupon } }),
  ),
  retrieve('/promotion_codes', 'promotion_code'),
  route(
    'POST /promotion_codes/:id',
    z.strictObject({ active: flag.optional(), metadata: metadata.optional(), expand }),
    async (store, { active, metadata: change }, { id }) => {
      const code = await store.get('promotion_code', id);
      if (active) await refuseUsedUp(store, code);
      return updateCode(store, code, { active, metadata: mergeMetadata(code.metadata, change) });
    },
  ),
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
  refusePast(store, given.redeem_by, 'redeem_by');
  const id = given.id ?? createId('', 8).slice(1);
  if (await store.find('coupon', id)) throw alreadyExists('Coupon');
  const coupon = buildCoupon({ ...given, id }, store.now);
  await store.insert(coupon, { dueAt: coupon.redeem_by });
  store.emit('coupon.created', coupon);
  return coupon;
}

async function createPromotionCode(
  store: Store,
  given: z.output<typeof newPromotionCode>,
): Promise<ApiObject<'promotion_code'>> {
  const param = 'promotion[coupon]';
  const coupon = await store.get('coupon', given.promotion.coupon, param);
  const refusal = expiry(coupon, store.now, param);
  if (refusal) throw refusal;
  if (given.customer) await store.get('customer', given.customer, 'customer');
  refusePast(store, given.expires_at, 'expires_at');
  if (given.restrictions?.minimum_amount && !given.restrictions.minimum_amount_currency) {
    throw invalidRequest('You must pass minimum_amount_currency with minimum_amount.', {
      param: 'restrictions[minimum_amount_currency]',
    });
  }
  const code = given.code ?? createId('', 8).slice(1).toUpperCase();
  const customer = given.customer ?? null;
  const taken = await store.all('promotion_code', { code: new AnyCase(code), customer, active: true });
  if (taken.length > 0) {
    throw invalidRequest('An active promotion code with this code already exists.', {
      param: 'code',
      code: 'resource_already_exists',
    });
  }
  const promotionCode = buildPromotionCode({ ...given, code }, store.now);
  await store.insert(promotionCode, { dueAt: promotionCode.expires_at });
  store.emit('promotion_code.created', promotionCode);
  return promotionCode;
}

function refusePast({ now }: Store, time: number | undefined, param: string): void {
  if (time !== undefined && time <= now) throw invalidRequest(`${param} must be in the future.`, { param });
}

async function refuseUsedUp(store: Store, code: ApiObject<'promotion_code'>): Promise<void> {
  const coupon = await store.find('coupon', code.promotion.coupon ?? '');
  const isUsedUp = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions;
  if (coupon?.valid && !isUsedUp && isActive({ ...code, active: true }, store.now)) return;
  throw invalidRequest('This promotion code cannot be activated: it, or its coupon, is used up or has expired.', {
    param: 'active',
  });
}
