import { expect, test } from 'vitest';
import { buildTaxRate } from '../objects/catalog';
import { discountOf, taxesByRate, taxLines, totalsOf } from './taxes';

const rate = (percentage: number, inclusive = false) =>
  buildTaxRate({ display_name: 'VAT', percentage, inclusive, metadata: {} }, 0);

test('an exclusive rate is added to the price', () => {
  expect(totalsOf([{ amount: 1900, taxRates: [rate(20)] }], 0)).toMatchObject({ tax: 380, total: 2280 });
});

test('an inclusive rate is within the price', () => {
  const totals = totalsOf([{ amount: 2280, taxRates: [rate(20, true)] }], 0);
  expect(totals).toMatchObject({ tax: 380, inclusiveTax: 380, total: 2280 });
});

test('tax is on the amount after the discount, and the shares of the discount add up exactly', () => {
  const lines = [333, 333, 334].map((amount) => ({ amount, taxRates: [rate(10)] }));
  const taxed = taxLines(lines, 100);
  expect(taxed.map(({ discount }) => discount)).toEqual([33, 34, 33]);
  expect(totalsOf(lines, 100)).toMatchObject({ subtotal: 1000, discount: 100, tax: 90, total: 990 });
});

test('a credit reduces the tax', () => {
  const vat = rate(19);
  const lines = [
    { amount: -1200, taxRates: [vat] },
    { amount: 19_000, taxRates: [vat] },
  ];
  expect(totalsOf(lines, 0)).toMatchObject({ tax: 3610 - 228, total: 17_800 + 3382 });
  expect(taxesByRate(taxLines(lines, 0))).toMatchObject([{ amount: 3382, taxable: 17_800 }]);
});

test('a credit gets no share of a discount', () => {
  const lines = [1900, -1000].map((amount) => ({ amount, taxRates: [] }));
  expect(taxLines(lines, 950).map(({ discount }) => discount)).toEqual([950, 0]);
  expect(totalsOf(lines, 950).total).toBe(-50);
});

test('an exact half is rounded up, whatever floating point makes of it', () => {
  expect(discountOf({ percent_off: 1.38, amount_off: null }, 2500)).toBe(35);
  expect(totalsOf([{ amount: 6000, taxRates: [rate(4.225)] }], 0).tax).toBe(254);
});

test('yen are taxed in whole yen', () => {
  expect(totalsOf([{ amount: 2801, taxRates: [rate(10)] }], 0)).toMatchObject({ tax: 280, total: 3081 });
});
