import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { daysOf, parseDateRange } from '@/lib/service/dashboard/date-range';
import type { Period } from '@/lib/service/dashboard/overview-queries';
import { RevenueCard } from './revenue-card';

const RANGE = parseDateRange({ range: 7 }, new Date('2026-11-21T12:00:00Z'));
const NOTHING = { clicks: 0, provisional: 0, leads: 0, sales: 0, renewals: 0, refunds: 0, unattributed: 0 };
const period = (...currencies: string[]): Period => ({
  ...NOTHING,
  revenue: currencies.map((currency) => ({ currency, sold: 1_900, refunded: 0 })),
});

/** The currencies that the card offers and the one that it shows. */
function render({ current, previous, asked = '' }: { current: Period; previous: Period; asked?: string }) {
  const days = daysOf(RANGE).map((day) => ({ ...period(), day }));
  const overview = { current, previous, days, previousDays: days, testEvents: { count: 0, isCapped: false } };
  const html = renderToStaticMarkup(<RevenueCard overview={overview} range={RANGE} asked={asked} />);
  return {
    offered: [...html.matchAll(/currency=(\w+)/g)].map(([, name]) => name),
    shown: /Net revenue by day, (\w+)/.exec(html)?.[1],
  };
}

test('a currency that was paid in the previous period only is shown', () => {
  expect(render({ current: period(), previous: period('eur') })).toEqual({ offered: [], shown: 'EUR' });
});

test('the currencies of both periods are offered, each once and in order', () => {
  const both = { current: period('jpy', 'usd'), previous: period('eur', 'usd') };
  expect(render(both)).toEqual({ offered: ['eur', 'jpy', 'usd'], shown: 'USD' });
  expect(render({ ...both, asked: 'eur' })).toMatchObject({ shown: 'EUR' });
  expect(render({ ...both, asked: 'not one' })).toMatchObject({ shown: 'USD' });
  expect(render({ current: period('jpy'), previous: period('eur') })).toMatchObject({ shown: 'EUR' });
});

test('a chosen currency stays chosen in a range without payments in it', () => {
  const chosen = { offered: ['gbp', 'usd'], shown: 'GBP' };
  expect(render({ current: period('usd'), previous: period(), asked: 'gbp' })).toEqual(chosen);
});

test('where nothing was paid, the card shows US dollars', () => {
  expect(render({ current: period(), previous: period() })).toEqual({ offered: [], shown: 'USD' });
});
