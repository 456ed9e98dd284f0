import { expect, test } from 'vitest';
import { prorate } from './proration';

const period = { start: 1000, end: 2000 };

test('half-way through the period, half of the old price comes back and half of the new one is due', () => {
  expect(prorate({ oldAmount: 1900, newAmount: 4900 }, period, 1500)).toEqual({ credit: 950, charge: 2450 });
});

test('at the start all of both, at the end nothing of either', () => {
  expect(prorate({ oldAmount: 1900, newAmount: 4900 }, period, 1000)).toEqual({ credit: 1900, charge: 4900 });
  expect(prorate({ oldAmount: 1900, newAmount: 4900 }, period, 2500)).toEqual({ credit: 0, charge: 0 });
});

test('minor units stay whole', () => {
  expect(prorate({ oldAmount: 1000, newAmount: 2800 }, { start: 0, end: 3 }, 1)).toEqual({ credit: 667, charge: 1867 });
});
