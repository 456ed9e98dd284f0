import { expect, test } from 'vitest';
import { describeError, formatBody, formatDate, formatDuration, formatMinute, formatMoney, formatTime } from './format';

test('money is shown in the minor units of its currency', () => {
  expect(formatMoney(1900, 'usd')).toBe('$19.00');
  expect(formatMoney(2800, 'jpy')).toBe('¥2,800');
  expect(formatMoney(1500, 'BHD')).toMatch(/1\.500/);
});

const TWO_DECIMALS = 'afn all cop huf idr isk lak lbp mmk mro pkr sos std ugx yer'.split(' ');

test.each(TWO_DECIMALS)('money in %s is shown in hundredths, as Stripe counts it', (currency) => {
  expect(formatMoney(1_234_500, currency)).toContain('12,345.00');
});

test.each(['mga', 'xof', 'clp'])('money in %s is shown in whole units, as Stripe counts it', (currency) => {
  expect(formatMoney(1_234_500, currency)).toMatch(/1,234,500$/);
});

test('every month is written with three letters', () => {
  expect(formatDate(new Date('2026-09-05T23:59:59Z'))).toBe('5 Sep 2026');
  expect(formatMinute(new Date('2026-12-31T00:54:12Z'))).toBe('31 Dec 2026, 00:54 UTC');
  expect(formatTime(new Date('2026-11-21T00:54:12Z'))).toBe('21 Nov 2026, 00:54:12 UTC');
});

test('a duration is as long as its column is wide', () => {
  expect([0, 379, 9_999, 10_000, 23_966].map(formatDuration)).toEqual(['0 ms', '379 ms', '9999 ms', '10 s', '24 s']);
});

test('a body that is no JSON is shown as it is', () => {
  expect(formatBody('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(formatBody('{"a":')).toBe('{"a":');
});

test('a failure is named by its message and cause, else by its code or name', () => {
  const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }); // at both addresses of localhost
  expect(describeError(refused)).toBe('ECONNREFUSED');
  expect(describeError(new TypeError('fetch failed', { cause: refused }))).toBe('fetch failed: ECONNREFUSED');
  expect(describeError(new TypeError('fetch failed', { cause: new Error('bad port') }))).toBe('fetch failed: bad port');
  expect([new RangeError(''), 'text'].map(describeError)).toEqual(['RangeError', 'text']);
});
