import { expect, test } from 'vitest';
import { planRenewals } from './renewals';

const time = (date: string) => Date.parse(date) / 1000;
const halfPrice = { amount_off: null, percent_off: 50, duration_in_months: null };
const forever = { ...halfPrice, duration: 'forever' } as const;
const once = { ...halfPrice, duration: 'once' } as const;
const repeating = (months: number) => ({ ...halfPrice, duration: 'repeating', duration_in_months: months }) as const;

const monthly = { interval: 'month', interval_count: 1 } as const;
const yearly = { interval: 'year', interval_count: 1 } as const;

test.each([
  ['without a coupon at the price', { coupon: null }, [[2000, '2027-02-28']]],
  ['with a coupon of duration forever always at less', { coupon: forever }, [[1000, '2027-02-28']]],
  ['with one of duration once at the price: the first payment had it', { coupon: once }, [[2000, '2027-02-28']]],
  [
    'after a trial with one of duration once at less, once',
    { coupon: once, trialEnd: time('2027-02-07') },
    [
      [1000, '2027-02-07'],
      [2000, '2027-03-07'],
    ],
  ],
  [
    'with one for three months at less twice: the first payment had it too',
    { coupon: repeating(3) },
    [
      [1000, '2027-02-28'],
      [2000, '2027-04-30'],
    ],
  ],
  ['with one for one month at the price', { coupon: repeating(1) }, [[2000, '2027-02-28']]],
  [
    'of a year with one for three months at the price',
    { coupon: repeating(3), cadence: yearly },
    [[2000, '2028-01-31']],
  ],
])('a subscription renews %s', (_, over, expected) => {
  const renewals = planRenewals({
    ...{ amount: 2000, cadence: monthly, start: time('2027-01-31'), trialEnd: null },
    ...over,
  });
  expect(renewals).toEqual(expected.map(([amount, from]) => ({ amount, from: time(String(from)) })));
});
