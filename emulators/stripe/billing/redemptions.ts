// Redeeming coupons and promotion codes: whether one is still valid, and what a redemption uses up.
import type { z } from 'zod';
import { formatMoney } from '../../core/format';
import { type ApiError, invalidRequest } from '../errors';
import type { discounts } from '../parameters';
import { couponProblem } from '../pricing/limits';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

type Coupon = ApiObject<'coupon'>;
type PromotionCode = ApiObject<'promotion_code'>;

type Discounting = { coupon: Coupon; promotionCode: PromotionCode | null };

/** The customer, if known, and the amount before the discount, which is null if a code is only looked up. */
type Order = { customer: string | null; amount: number | null; currency: string };

type Asked = z.output<typeof discounts>[number];

/**
 * The coupon that a parameter names, by itself or by a promotion code; null if it names neither.
 * @throws ApiError if there is none, or it cannot be redeemed
 */
export async function resolveDiscount(
  store: Store,
  asked: Asked | undefined,
  order: Order,
): Promise<Discounting | null> {
  const param = asked?.promotion_code ? 'discounts[0][promotion_code]' : 'discounts[0][coupon]';
  const code = asked?.promotion_code ? await store.get('promotion_code', asked.promotion_code, param) : null;
  const id = code ? code.promotion.coupon : asked?.coupon;
  if (!id) return null;
  if (code && !isActive(code, store.now)) {
    throw invalidRequest(`The promotion code ${code.id} is not active.`, { param });
  }
  const coupon = await store.get('coupon', id, param);
  const refusal = expiry(coupon, store.now, param);
  if (refusal) throw refusal;
  const message = code && (await restriction(store, code, order));
  if (message) throw invalidRequest(message, { param });
  return { coupon, promotionCode: code };
}

/** The same for a subscription, whose currency the coupon also has to match. */
export async function resolveCoupon(store: Store, asked: Asked | undefined, order: Order): Promise<Discounting | null> {
  const found = await resolveDiscount(store, asked, order);
  const problem = couponProblem(found?.coupon ?? null, order.currency);
  if (problem) throw invalidRequest(problem, { param: 'discounts[0][coupon]' });
  return found;
}

/** Why the coupon of an order can no longer be redeemed; null if it can. */
export const expiry = (coupon: Coupon, now: number, param: string): ApiError | null => {
  const { id, max_redemptions: max, times_redeemed: times } = coupon;
  const refuse = (message: string) => invalidRequest(message, { param, code: 'coupon_expired' });
  if (max !== null && times >= max) return refuse(`Coupon ${id} is used up and cannot be applied.`);
  return coupon.redeem_by !== null && coupon.redeem_by <= now ? refuse(`Coupon expired: ${id}`) : null;
};

/** Whether a code can be redeemed at all; its coupon may have its own limits. */
export const isActive = ({ active, expires_at: end }: PromotionCode, now: number): boolean =>
  active && (end === null || end > now);

/** Why a code is not for this order, in words for the customer; null if it is. */
export async function restriction(store: Store, code: PromotionCode, order: Order): Promise<string | null> {
  const {
    first_time_transaction: isForFirst,
    minimum_amount: least,
    minimum_amount_currency: unit,
  } = code.restrictions;
  if (code.customer && code.customer !== order.customer) return 'This code is invalid.';
  if (isForFirst && order.customer && (await hasPaid(store, order.customer))) {
    return 'This promotion code cannot be redeemed because the associated customer has prior transactions.';
  }
  if (least === null || order.amount === null) return null;
  if (unit === order.currency && order.amount >= least) return null;
  return `This code requires an order of at least ${formatMoney(least, unit ?? order.currency)}.`;
}

const hasPaid = async (store: Store, customer: string): Promise<boolean> =>
  (await store.all('charge', { customer, status: 'succeeded' })).length > 0;

/** Counts a redemption. A coupon or code at its limit is no longer valid. */
export async function redeem(store: Store, couponId: string, promotionCode: string | null): Promise<void> {
  const coupon = await store.get('coupon', couponId);
  await store.update('coupon.updated', coupon, () => {
    coupon.times_redeemed += 1;
    if (coupon.times_redeemed === coupon.max_redemptions) coupon.valid = false;
  });
  if (promotionCode) await redeemCode(store, await store.get('promotion_code', promotionCode));
  if (!coupon.valid) await switchOffCodes(store, coupon);
}

async function redeemCode(store: Store, code: PromotionCode): Promise<void> {
  await store.update('promotion_code.updated', code, () => {
    code.times_redeemed += 1;
    if (code.times_redeemed === code.max_redemptions) code.active = false;
  });
}

/** `redeem_by` has passed. */
export async function expireCoupon(store: Store, coupon: Coupon): Promise<void> {
  await store.save({ ...coupon, valid: false }, { dueAt: null });
  await switchOffCodes(store, coupon);
}

/** A code is active only while its coupon is valid. */
export async function switchOffCodes(store: Store, { id }: Pick<Coupon, 'id'>): Promise<void> {
  for (const code of await store.all('promotion_code', { promotion: { coupon: id }, active: true })) {
    await updateCode(store, code, { active: false });
  }
}

type CodeUpdate = { active?: boolean | undefined; metadata?: PromotionCode['metadata'] };

export function updateCode(
  store: Store,
  code: PromotionCode,
  { active = code.active, metadata = code.metadata }: CodeUpdate,
): Promise<PromotionCode> {
  const dueAt = active ? code.expires_at : null;
  return store.update('promotion_code.updated', code, () => Object.assign(code, { active, metadata }), { dueAt });
}
