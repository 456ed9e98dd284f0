import { describe, expect, test } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { entitlementsOf, transferUntil } from './transfers';

const [monthly, yearly, lifetime] = PLANS;
const untilOf = (plan: (typeof PLANS)[number], paidAt: string) => transferUntil(plan, new Date(paidAt))?.toISOString();

describe('a transfer pays for a calendar month or year, in UTC', () => {
  test.each([
    ['21 Nov', '2026-11-21T10:30:00.500Z', '2026-12-21T10:30:00.500Z'],
    ['31 Dec, into the next year', '2026-12-31T23:59:59.999Z', '2027-01-31T23:59:59.999Z'],
    ['31 Jan, to the end of February', '2026-01-31T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    ['31 Jan of a leap year', '2028-01-31T12:00:00.000Z', '2028-02-29T12:00:00.000Z'],
    ['30 Jan', '2026-01-30T12:00:00.000Z', '2026-02-28T12:00:00.000Z'],
    ['28 Feb', '2026-02-28T12:00:00.000Z', '2026-03-28T12:00:00.000Z'],
    ['31 Mar, to 30 Apr', '2026-03-31T12:00:00.000Z', '2026-04-30T12:00:00.000Z'],
  ])('a month from %s', (_, paidAt, until) => {
    expect(untilOf(monthly, paidAt)).toBe(until);
  });

  test.each([
    ['21 Nov', '2026-11-21T00:00:00.000Z', '2027-11-21T00:00:00.000Z'],
    ['29 Feb, to 28 Feb', '2028-02-29T00:00:00.000Z', '2029-02-28T00:00:00.000Z'],
    ['28 Feb, before a leap year', '2027-02-28T00:00:00.000Z', '2028-02-28T00:00:00.000Z'],
  ])('a year from %s', (_, paidAt, until) => {
    expect(untilOf(yearly, paidAt)).toBe(until);
  });

  test('a lifetime plan never ends', () => {
    expect(untilOf(lifetime, '2026-11-21T00:00:00.000Z')).toBeUndefined();
  });
});

describe('transfers entitle', () => {
  const now = new Date('2026-11-21T00:00:00Z');
  const paid = (plan: string, day: string) => ({ plan, paidAt: new Date(`${day}T00:00:00Z`) });
  const held = (...transfers: Parameters<typeof entitlementsOf>[0]) =>
    entitlementsOf(transfers, now).map(({ plan, status, endsAt }) => [
      plan,
      status,
      endsAt?.toISOString().slice(0, 10) ?? null,
    ]);

  test('from the payment to the end of what it paid for', () => {
    const transfer = paid('studio_yearly', '2026-10-21');
    expect(entitlementsOf([transfer], now)).toEqual([
      {
        plan: 'studio_yearly',
        status: 'active',
        source: 'grant',
        renewsAt: null,
        endsAt: new Date('2027-10-21T00:00:00Z'),
        price: null,
      },
    ]);
    expect(entitlementsOf([transfer], new Date('2027-10-21T00:00:00Z'))[0]?.status).toBe('ended');
    expect(held({ ...transfer, paidAt: null })).toEqual([]);
  });

  test('for a period more where the next one is paid early, and from its payment where it is paid late', () => {
    const [first, early, late] = [
      paid('studio_monthly', '2026-09-01'),
      paid('studio_monthly', '2026-09-20'),
      paid('studio_monthly', '2026-11-15'),
    ];
    expect(held(early, first)).toEqual([['studio_monthly', 'ended', '2026-11-01']]);
    expect(held(late, early, first)).toEqual([['studio_monthly', 'active', '2026-12-15']]);
  });

  test('on the same day of each month, also after a month that lacks it', () => {
    const months = [
      paid('studio_monthly', '2026-01-31'),
      paid('studio_monthly', '2026-02-20'),
      paid('studio_monthly', '2026-03-20'),
    ];
    expect(held(...months)).toEqual([['studio_monthly', 'ended', '2026-04-30']]);
    expect(held(...months.slice(0, 2))).toEqual([['studio_monthly', 'ended', '2026-03-31']]);
    const years = ['2024-02-29', '2025-02-01', '2026-02-01', '2027-02-01'].map((day) => paid('studio_yearly', day));
    expect(held(...years)).toEqual([['studio_yearly', 'active', '2028-02-29']]);
  });

  test('to each plan, the one that lasts longest first', () => {
    const [year, month] = [paid('studio_yearly', '2026-11-01'), paid('studio_monthly', '2026-11-20')];
    expect(held(month, year).map(([plan]) => plan)).toEqual(['studio_yearly', 'studio_monthly']);
    expect(held(month, paid('studio_lifetime', '2026-11-02'), year)[0]).toEqual(['studio_lifetime', 'active', null]);
  });

  test('to nothing, and to nothing for ever, for a plan that was removed', () => {
    expect(held(paid('studio_weekly', '2020-10-21'))).toEqual([]);
  });
});
