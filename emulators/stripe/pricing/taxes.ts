// Discounts and taxes on lines of an order or an invoice.
import type { ApiObject } from '../wire';

type TaxRate = ApiObject<'tax_rate'>;

/**
 * What a line costs before discount, in minor units, and the rates that apply to it. The amount of a proration is what is
 * left after the discount: nothing more is taken off it.
 */
export type TaxableLine = { amount: number; taxRates: TaxRate[]; isProration?: boolean };
export type LineTax = { rate: TaxRate; amount: number; taxable: number };
export type TaxedLine = { discount: number; taxes: LineTax[] };

export type Totals = {
  subtotal: number;
  discount: number;
  /** All taxes; those of inclusive rates are within the prices. */
  tax: number;
  inclusiveTax: number;
  total: number;
};

/** Stripe's default for invoice items: prorations and credits are not discountable. */
export const isDiscountable = ({ amount, isProration }: Pick<TaxableLine, 'amount' | 'isProration'>): boolean =>
  !isProration && amount >= 0;

/** Each line's share of the discount, and the taxes on what is left of it; in the order of the lines. */
export function taxLines(lines: TaxableLine[], discount: number): TaxedLine[] {
  const shares = shareOut(
    discount,
    lines.map((line) => (isDiscountable(line) ? line.amount : 0)),
  );
  return lines.map(({ amount, taxRates }, index) => {
    const share = shares[index] ?? 0;
    return { discount: share, taxes: taxesOn(amount - share, taxRates) };
  });
}

/** The sums of the lines: exclusive taxes are added to the prices, inclusive ones are within them. */
export function totalsOf(lines: TaxableLine[], discount: number): Totals {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const taxes = taxLines(lines, discount).flatMap((line) => line.taxes);
  const sumOf = (some: LineTax[]) => some.reduce((sum, { amount }) => sum + amount, 0);
  const tax = sumOf(taxes);
  const inclusiveTax = sumOf(taxes.filter(({ rate }) => rate.inclusive));
  return { subtotal, discount, tax, inclusiveTax, total: subtotal - discount + tax - inclusiveTax };
}

/** The taxes of several lines, one entry for each rate, in the order in which the rates first appear. */
export function taxesByRate(lines: TaxedLine[]): LineTax[] {
  const byRate = new Map<string, LineTax>();
  for (const tax of lines.flatMap(({ taxes }) => taxes)) {
    const known = byRate.get(tax.rate.id);
    if (known) {
      known.amount += tax.amount;
      known.taxable += tax.taxable;
    } else byRate.set(tax.rate.id, { ...tax });
  }
  return [...byRate.values()];
}

/** Rounds halves up: in floating point, 1.38 % of 2500 is just below 34.5. */
const percentOf = (amount: number, percentage: number): number =>
  Math.round(Number(((amount * percentage) / 100).toFixed(6)));

function taxesOn(amount: number, rates: TaxRate[]): LineTax[] {
  const included = rates.filter(({ inclusive }) => inclusive).reduce((sum, { percentage }) => sum + percentage, 0);
  const net = amount / (1 + included / 100);
  return rates.map((rate) => ({
    rate,
    amount: percentOf(net, rate.percentage),
    taxable: Math.round(net),
  }));
}

/** Splits an amount in proportion to the weights; the shares add up exactly. */
export function shareOut(amount: number, weights: number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let weight = 0;
  let given = 0;
  return weights.map((next) => {
    weight += next;
    const share = whole > 0 ? Math.round((amount * weight) / whole) - given : 0;
    given += share;
    return share;
  });
}

/** What a coupon takes off, in minor units: never more than there is. */
export function discountOf(
  coupon: Pick<ApiObject<'coupon'>, 'amount_off' | 'percent_off'> | null,
  subtotal: number,
): number {
  if (!coupon) return 0;
  const off = coupon.percent_off !== null ? percentOf(subtotal, coupon.percent_off) : (coupon.amount_off ?? 0);
  return Math.min(off, Math.max(subtotal, 0));
}
