// What may be charged: the minimum and maximum amount of a payment, its steps, and the currency of a coupon.
import { formatMoney } from '../../core/format';
import type { ApiObject } from '../wire';

/** In minor units. Other currencies are not checked. docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const MINIMUMS: Record<string, number> = {
  ...{ aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400 },
  ...{ huf: 17_500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300 },
  ...{ sgd: 50, thb: 1000, usd: 50 },
};

/** Limits other than eight digits, in minor units. Every payment method supports them; card networks may allow more. */
const MAXIMUMS: Record<string, number> = { cop: 9_999_999_999, idr: 999_999_999_999, inr: 999_999_999 };
const MAXIMUM = 99_999_999;

/** The last digit of three decimals is 0. docs.stripe.com/currencies#three-decimal */
const TENS = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];
/** Whole units, written with two decimals. docs.stripe.com/currencies#special-cases */
const HUNDREDS = ['isk', 'ugx'];

/** What an amount that a request names has to be a multiple of. Computed totals are not checked. */
function stepOf(currency: string): number {
  if (HUNDREDS.includes(currency)) return 100;
  return TENS.includes(currency) ? 10 : 1;
}

/** The minimum that can be charged, as Stripe writes it ("$0.50 usd"), if this amount is less; else null. */
export function leastAmount(amount: number, currency: string): string | null {
  const least = MINIMUMS[currency] ?? 0;
  return amount > 0 && amount < least ? `${formatMoney(least, currency)} ${currency}` : null;
}

/** The maximum that can be charged, as Stripe writes it ("$999,999.99"), if this amount is greater; else null. */
export function greatestAmount(amount: number, currency: string): string | null {
  const greatest = MAXIMUMS[currency] ?? MAXIMUM;
  return amount > greatest ? formatMoney(greatest, currency) : null;
}

/** Why a request may not name this amount, other than being too small; null if it may. */
export function limitProblem(amount: number, currency: string): { message: string; code?: string } | null {
  const greatest = greatestAmount(amount, currency);
  if (greatest) return { message: `Amount must be no more than ${greatest}`, code: 'amount_too_large' };
  if (amount % stepOf(currency) === 0) return null;
  const unit = currency.toUpperCase();
  return {
    message: HUNDREDS.includes(currency)
      ? `Invalid amount. Currency ${unit} has become effectively zero-decimal and charged amounts must be evenly divisible by 100. See https://stripe.com/docs/currencies#zero-decimal for more information.`
      : `Invalid amount. Amounts in ${unit} must be evenly divisible by 10. See https://docs.stripe.com/currencies#three-decimal for more information.`,
  };
}

/** Why a coupon cannot be applied to prices of a currency; null if it can. A percentage has no currency. */
export function couponProblem(coupon: ApiObject<'coupon'> | null, currency: string): string | null {
  if (!coupon?.currency || coupon.currency === currency) return null;
  return `The coupon ${coupon.id} takes off an amount in ${coupon.currency} and cannot be applied to prices in ${currency}.`;
}
