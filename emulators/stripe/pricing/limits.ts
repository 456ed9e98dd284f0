// What may be charged at all: the least amount of a payment, and the currency of a coupon.
import { formatMoney } from '../../core/format';
import type { ApiObject } from '../wire';

/** In minor units. Other currencies are not checked. docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const MINIMUMS: Record<string, number> = {
  ...{ aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400 },
  ...{ huf: 17_500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300 },
  ...{ sgd: 50, thb: 1000, usd: 50 },
};

/** The least amount that can be charged, as Stripe writes it ("$0.50 usd"), where this one is less; else null. */
export function leastAmount(amount: number, currency: string): string | null {
  const least = MINIMUMS[currency] ?? 0;
  return amount > 0 && amount < least ? `${formatMoney(least, currency)} ${currency}` : null;
}

/** Why a coupon cannot be applied to prices of a currency; null where it can. A percentage has no currency. */
export function couponProblem(coupon: ApiObject<'coupon'> | null, currency: string): string | null {
  if (!coupon?.currency || coupon.currency === currency) return null;
  return `The coupon ${coupon.id} takes off an amount in ${coupon.currency} and cannot be applied to prices in ${currency}.`;
}
