import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newRunningTotals, type StoredTotals, type Totals, totalsOf } from './partner-totals';

const usd = (sold: number, refunded = 0) => ({ currency: 'usd', sold, refunded });
const nothing: StoredTotals = {
  ...{ latest: null, before: null, atEnd: null },
  ...{ counts: null, amounts: null, lateCounts: null, lateAmounts: null },
};
const count = (day: string, clicks: number) => ({ day, clicks, leads: 0, sales: 0, renewals: 0 });
const total = (day: string, clicks: number, ...revenue: Totals['revenue']): Totals => ({
  ...count(day, clicks),
  revenue,
});

describe('the totals of a range', () => {
  test('are the running total at its end, less the one before it, and the days since', () => {
    const stored = {
      ...nothing,
      latest: total('2026-11-20', 9, usd(900)),
      before: total('2026-11-10', 4, usd(300)),
      atEnd: total('2026-11-20', 9, usd(900)),
      counts: [count('2026-11-21', 2)],
      amounts: [{ day: '2026-11-21', ...usd(50, 20) }],
    };
    expect(totalsOf(stored, '2026-11-11', '2026-11-21')).toMatchObject({ clicks: 7, revenue: [usd(650, 20)] });
    expect(totalsOf(stored, '2026-11-11', '2026-11-20')).toMatchObject({ clicks: 5, revenue: [usd(600)] });
  });

  test('cover leads, sales, renewals and refunds by the same rule as clicks and revenue', () => {
    const counts = (factor: number) => ({ clicks: factor, leads: 2 * factor, sales: 3 * factor, renewals: 5 * factor });
    const eur = { currency: 'eur', sold: 0, refunded: 4 };
    const stored = {
      ...nothing,
      latest: { day: '2026-11-20', ...counts(100), revenue: [usd(900, 90)] },
      before: { day: '2026-11-10', ...counts(10), revenue: [usd(300, 30)] },
      atEnd: { day: '2026-11-20', ...counts(100), revenue: [usd(900, 90)] },
      counts: [{ day: '2026-11-21', ...counts(1) }],
      amounts: [{ day: '2026-11-21', ...eur }],
      lateCounts: { leads: 1000, sales: 2000, renewals: 3000 },
    };
    expect(totalsOf(stored, '2026-11-11', '2026-11-21')).toMatchObject({
      ...{ clicks: 91, leads: 1182, sales: 2273, renewals: 3455 },
      revenue: [eur, usd(600, 60)],
    });
    expect(newRunningTotals(stored, '2026-11-21')).toEqual([
      { day: '2026-11-21', ...counts(101), revenue: [eur, usd(900, 90)] },
    ]);
  });

  test('are zero for a partner without events, and name no currency that only moved before it', () => {
    expect(totalsOf(nothing, '2026-11-01', '2026-11-21')).toMatchObject({ clicks: 0, revenue: [] });
    const before = total('2026-10-01', 4, usd(300));
    expect(totalsOf({ ...nothing, latest: before, before, atEnd: before }, '2026-11-01', '2026-11-21')).toMatchObject({
      clicks: 0,
      revenue: [],
    });
  });
});

describe('what was recorded on another day', () => {
  const late = {
    ...nothing,
    latest: total('2026-11-20', 9, usd(900)),
    atEnd: total('2026-11-20', 9, usd(900)),
    lateCounts: { leads: 0, sales: 1, renewals: 0 },
    lateAmounts: [usd(100)],
  };

  test('is in the totals of a range', () => {
    expect(totalsOf(late, '2026-11-01', '2026-11-21')).toMatchObject({ clicks: 9, sales: 1, revenue: [usd(1000)] });
  });

  test('is in no running total, as it may still change', () => {
    expect(newRunningTotals(late, '2026-11-21')).toEqual([]);
  });
});

describe('new running totals', () => {
  test('continue from the last one, day by day, and leave out the days that may still change', () => {
    const stored = {
      ...nothing,
      latest: total('2026-11-18', 5, usd(100)),
      counts: [count('2026-11-21', 4), count('2026-11-20', 2), count('2026-11-19', 1)],
      amounts: [
        { day: '2026-11-20', ...usd(30, 10) },
        { day: '2026-11-20', currency: 'eur', sold: 7, refunded: 0 },
      ],
    };
    expect(newRunningTotals(stored, '2026-11-20')).toEqual([
      total('2026-11-19', 6, usd(100)),
      total('2026-11-20', 8, { currency: 'eur', sold: 7, refunded: 0 }, usd(130, 10)),
    ]);
  });

  test('include a day on which only money changed', () => {
    const stored = { ...nothing, amounts: [{ day: '2026-11-19', ...usd(0, -10) }] };
    expect(newRunningTotals(stored, '2026-11-20')).toEqual([total('2026-11-19', 0, usd(0, -10))]);
  });
});

test('whatever days were closed before, a range has the same totals', () => {
  const date = (index: number) => `2026-11-${String(index + 1).padStart(2, '0')}`;
  const dayOfMonth = fc.integer({ min: 0, max: 27 });
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 28 }), dayOfMonth, dayOfMonth, dayOfMonth, (clicks, x, y, closed) => {
      const [from, to] = [Math.min(x, y), Math.max(x, y)].map(date) as [string, string];
      const counts = clicks.map((clicked, index) => count(date(index), clicked));
      const running = newRunningTotals({ ...nothing, counts }, date(closed));
      const last = (isWanted: (day: string) => boolean) => running.findLast(({ day }) => isWanted(day)) ?? null;
      const stored = {
        ...nothing,
        latest: last(() => true),
        before: last((day) => day < from),
        atEnd: last((day) => day <= to),
        counts: counts.filter(({ day }) => day > (last(() => true)?.day ?? '')),
      };
      expect(totalsOf(stored, from, to).clicks).toBe(totalsOf({ ...nothing, counts }, from, to).clicks);
    }),
  );
});
