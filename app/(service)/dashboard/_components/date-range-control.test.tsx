import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MAX_DAYS, parseDateRange } from '@/lib/service/dashboard/date-range';
import { CountedDays, DateRangeControl } from './date-range-control';

const NOW = new Date('2026-11-21T12:00:00Z');
const render = (params: Record<string, string>, kept?: string) =>
  renderToStaticMarkup(
    <DateRangeControl range={parseDateRange(params, NOW)} path="/dashboard" {...(kept && { kept })} />,
  );

test('another range of days keeps the currency', () => {
  const shown = render({ range: '28' }, 'currency=eur');
  expect(shown).toContain('href="/dashboard?range=7&amp;currency=eur"');
  expect(shown).toContain('<input type="hidden" name="currency" value="eur"/>');
  expect(render({})).not.toContain('currency');
});

test('dates that are refused are not replaced without a word, and stay in their fields', () => {
  const shown = render({ from: '2020-01-01', to: '2026-11-01' });
  expect(shown).toContain('Choose at most 366 days');
  expect([...shown.matchAll(/type="date"[^>]* value="([^"]*)"/g)].map(([, day]) => day)).toEqual([
    '2020-01-01',
    '2026-11-01',
  ]);
  expect(render({ from: '2026-11-01', to: '2026-11-03' })).not.toContain('role="alert"');
});

const TOMORROW = new Date('2026-11-22T00:00:00Z');

const days = (params: Record<string, string>, latest: Date | undefined, kept = '') =>
  renderToStaticMarkup(
    <CountedDays range={parseDateRange(params, NOW)} latest={latest} path="/dashboard" kept={kept} />,
  );

test('figures that end today say that a test clock has brought later events, and lead to the days that have them', () => {
  const shown = days({}, TOMORROW, 'currency=eur');
  expect(shown).toContain('later than this range');
  expect(shown).toContain('href="/dashboard?from=2026-10-25&amp;to=2026-11-22&amp;currency=eur"');
});

test('as many days as a range may have, if the clock is far ahead', () => {
  const shown = days({}, new Date('2028-02-01T10:00:00Z'));
  expect(shown).toContain('href="/dashboard?from=2027-02-01&amp;to=2028-02-01"');
  const range = parseDateRange({ from: '2027-02-01', to: '2028-02-01' }, NOW);
  expect(range).toMatchObject({ days: MAX_DAYS, refused: null });
});

test('they say nothing of events of today, of none, and beside dates that were chosen', () => {
  for (const latest of [new Date('2026-11-21T23:59:59Z'), undefined]) {
    expect(days({}, latest)).not.toContain('later than');
  }
  expect(days({ from: '2026-11-01', to: '2026-11-03' }, TOMORROW)).not.toContain('later than');
});
