import { describe, expect, test } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { entitlementOf, transferUntil } from './transfers';

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

  test('a lifetime plan never ends, and one that is not paid has not begun', () => {
    expect(untilOf(lifetime, '2026-11-21T00:00:00.000Z')).toBeUndefined();
    expect(transferUntil(yearly, null)).toBeNull();
  });
});

test('a transfer entitles from its payment to the end of what it paid for', () => {
  const [paidAt, until] = [new Date('2026-10-21T00:00:00Z'), new Date('2027-10-21T00:00:00Z')];
  const transfer = { plan: 'studio_yearly', paidAt, until };
  const now = new Date('2026-11-21T00:00:00Z');
  expect(entitlementOf(transfer, now)).toMatchObject({
    status: 'active',
    source: 'grant',
    renewsAt: null,
    endsAt: until,
  });
  expect(entitlementOf(transfer, until)?.status).toBe('ended');
  expect(entitlementOf({ ...transfer, plan: 'studio_lifetime', until: null }, now)).toMatchObject({ endsAt: null });
  expect(entitlementOf({ ...transfer, paidAt: null }, now)).toBeNull();
});

test('a transfer for a plan that was removed entitles to nothing, and to nothing for ever', () => {
  const transfer = { plan: 'studio_weekly', paidAt: new Date('2020-10-21T00:00:00Z'), until: null };
  expect(entitlementOf(transfer, new Date('2026-11-21T00:00:00Z'))).toBeNull();
});
