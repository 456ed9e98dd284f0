import { describe, expect, test } from 'vitest';
import { daysOf, formatDay, parseDateRange, previousRange, writeDateRange } from './date-range';

const NOW = new Date('2026-11-21T12:00:00Z');
const read = (params: Record<string, unknown>) => {
  const range = parseDateRange(params, NOW);
  return `${formatDay(range.from)} ${formatDay(range.to)} ${range.days} ${range.preset}`;
};

describe('a range of days', () => {
  test('ends today, and has 28 days where nothing is chosen', () => {
    expect(read({})).toBe('2026-10-25 2026-11-21 28 28');
    expect(read({ range: '7' })).toBe('2026-11-15 2026-11-21 7 7');
    expect(read({ range: '90' })).toBe('2026-08-24 2026-11-21 90 90');
  });

  test('can be two dates, both included', () => {
    expect(read({ from: '2026-11-01', to: '2026-11-03' })).toBe('2026-11-01 2026-11-03 3 null');
    expect(read({ from: '2026-11-01', to: '2026-11-01' })).toBe('2026-11-01 2026-11-01 1 null');
  });

  test.each([
    ['an unknown preset', { range: '12' }],
    ['text', { range: 'x', from: 'y', to: ['z'] }],
    ['one date alone', { from: '2026-11-01' }],
    ['an end before the start', { from: '2026-11-03', to: '2026-11-01' }],
    ['days that no database has', { from: '0001-01-01', to: '0001-01-05' }],
    ['more than a year', { from: '2020-01-01', to: '2026-11-01' }],
  ])('falls back to the last 28 days for %s', (_, params) => {
    expect(read(params)).toBe('2026-10-25 2026-11-21 28 28');
  });

  test('says that dates were asked for and refused', () => {
    const isRefused = (params: object) => parseDateRange({ ...params }, NOW).refused !== null;
    for (const params of [
      { from: '2026-11-03', to: '2026-11-01' },
      { from: '2020-01-01', to: '2026-11-01' },
    ]) {
      expect(isRefused(params)).toBe(true);
    }
    expect(isRefused({ from: '2026-11-01' })).toBe(true);
    expect(isRefused({ from: '2026-11-01', to: '2026-11-03' })).toBe(false);
    expect(isRefused({ range: '7', from: '', to: '' })).toBe(false);
    expect(isRefused({})).toBe(false);
  });

  test('is compared with as many days before it', () => {
    const { from, to } = previousRange(parseDateRange({ from: '2026-11-08', to: '2026-11-14' }, NOW));
    expect([from, to].map(formatDay)).toEqual(['2026-11-01', '2026-11-07']);
  });

  test('is written as it is read', () => {
    for (const query of ['range=7', 'range=90', 'from=2026-11-01&to=2026-11-03']) {
      expect(writeDateRange(parseDateRange(Object.fromEntries(new URLSearchParams(query)), NOW))).toBe(query);
    }
    expect(
      daysOf(parseDateRange({ range: 7 }, NOW))
        .map(formatDay)
        .at(-1),
    ).toBe('2026-11-21');
  });
});
