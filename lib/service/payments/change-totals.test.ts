import { expect, test } from 'vitest';
import { mergeChanges } from './change-totals';

const change = (partnerCode: string, currency: string) => ({
  programId: 'prg_1',
  partnerCode,
  currency,
  occurredAt: new Date('2026-11-21T12:00:00Z'),
  sales: 1,
});

test('partners are in one order whatever their currencies are, since their counts have none', () => {
  for (const [one, other] of [
    ['usd', 'aud'],
    ['aud', 'usd'],
  ] as const) {
    const merged = mergeChanges([change('a b', other), change('a', one)]);
    expect(merged.map(({ partnerCode }) => partnerCode)).toEqual(['a', 'a b']);
  }
});

test('changes of one row are one change', () => {
  const merged = mergeChanges([change('a', 'usd'), change('a', 'usd'), change('a', 'aud')]);
  expect(merged.map(({ currency, sales }) => [currency, sales])).toEqual([
    ['aud', 1],
    ['usd', 2],
  ]);
});
