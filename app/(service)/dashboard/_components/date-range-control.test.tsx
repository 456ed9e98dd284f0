import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import { DateRangeControl, describeDays } from './date-range-control';

const NOW = new Date('2026-11-21T12:00:00Z');
const render = (params: Record<string, string>, currency?: string) =>
  renderToStaticMarkup(
    <DateRangeControl range={parseDateRange(params, NOW)} path="/dashboard" {...(currency && { currency })} />,
  );

test('another range of days keeps the currency', () => {
  const shown = render({ range: '28' }, 'eur');
  expect(shown).toContain('href="/dashboard?range=7&amp;currency=eur"');
  expect(shown).toContain('<input type="hidden" name="currency" value="eur"/>');
  expect(render({})).not.toContain('currency');
});

test('dates that are refused are not replaced without a word', () => {
  expect(render({ from: '2020-01-01', to: '2026-11-01' })).toContain('Choose at most 366 days');
  expect(render({ from: '2026-11-01', to: '2026-11-03' })).not.toContain('role="alert"');
});

const TOMORROW = new Date('2026-11-22T00:00:00Z');

test('figures that end today say that a test clock has brought later events', () => {
  expect(describeDays(parseDateRange({}, NOW), TOMORROW)).toContain('dated after these days');
});

test('they say nothing of events of today, of none, and beside dates that were chosen', () => {
  for (const latest of [new Date('2026-11-21T23:59:59Z'), undefined]) {
    expect(describeDays(parseDateRange({}, NOW), latest)).not.toContain('dated after');
  }
  const chosen = parseDateRange({ from: '2026-11-01', to: '2026-11-03' }, NOW);
  expect(describeDays(chosen, TOMORROW)).not.toContain('dated after');
});
