import { describe, expect, test } from 'vitest';
import { addInterval, prorate } from './periods';

const seconds = (iso: string) => Date.parse(iso) / 1000;
const monthly = { interval: 'month', interval_count: 1 } as const;

describe('period arithmetic', () => {
  test('a month after 31 January is the last day of February, and then 31 March again', () => {
    const anchor = seconds('2026-01-31T10:00:00Z');
    const february = addInterval(anchor, monthly, anchor);
    expect(february).toBe(seconds('2026-02-28T10:00:00Z'));
    expect(addInterval(february, monthly, anchor)).toBe(seconds('2026-03-31T10:00:00Z'));
  });

  test('a year after 29 February is 28 February', () => {
    const start = seconds('2028-02-29T00:00:00Z');
    expect(addInterval(start, { interval: 'year', interval_count: 1 })).toBe(seconds('2029-02-28T00:00:00Z'));
  });

  test('days and weeks have a fixed length', () => {
    const start = seconds('2026-03-28T12:00:00Z');
    expect(addInterval(start, { interval: 'day', interval_count: 3 })).toBe(seconds('2026-03-31T12:00:00Z'));
    expect(addInterval(start, { interval: 'week', interval_count: 2 })).toBe(seconds('2026-04-11T12:00:00Z'));
  });

  test('December leads into the next year', () => {
    expect(addInterval(seconds('2026-12-15T00:00:00Z'), monthly)).toBe(seconds('2027-01-15T00:00:00Z'));
  });
});

const period = { start: 1000, end: 2000 };

test('halfway through the period, half of the old price is credited and half of the new one is due', () => {
  expect(prorate({ oldAmount: 1900, newAmount: 4900 }, period, 1500)).toEqual({ credit: 950, charge: 2450 });
});

test('at the start all of both are credited and charged, at the end none', () => {
  expect(prorate({ oldAmount: 1900, newAmount: 4900 }, period, 1000)).toEqual({ credit: 1900, charge: 4900 });
  expect(prorate({ oldAmount: 1900, newAmount: 4900 }, period, 2500)).toEqual({ credit: 0, charge: 0 });
});

test('minor units stay whole', () => {
  expect(prorate({ oldAmount: 1000, newAmount: 2800 }, { start: 0, end: 3 }, 1)).toEqual({ credit: 667, charge: 1867 });
});
