import { describe, expect, test } from 'vitest';
import { addInterval } from './add-interval';

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

  test('days and weeks are plain', () => {
    const start = seconds('2026-03-28T12:00:00Z');
    expect(addInterval(start, { interval: 'day', interval_count: 3 })).toBe(seconds('2026-03-31T12:00:00Z'));
    expect(addInterval(start, { interval: 'week', interval_count: 2 })).toBe(seconds('2026-04-11T12:00:00Z'));
  });

  test('December leads into the next year', () => {
    expect(addInterval(seconds('2026-12-15T00:00:00Z'), monthly)).toBe(seconds('2027-01-15T00:00:00Z'));
  });
});
