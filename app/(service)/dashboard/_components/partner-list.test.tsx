import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import { PartnerList } from './partner-list';

const NOW = new Date('2026-11-21T12:00:00Z');
const code = 'a&b=c +%';
const partner = { code, name: 'Ada', isActive: true, clicks: 0, leads: 0, newSales: 0, renewals: 0, revenue: [] };
const render = ({ latest = NOW, isPaused = false, search = '', range = {} } = {}) =>
  renderToStaticMarkup(
    <PartnerList
      page={{ partners: [partner], nextCursor: null, isPartial: false }}
      search={search}
      range={parseDateRange(range, NOW)}
      latest={latest}
      isFirst
      isPaused={isPaused}
      base="https://shop.example"
    />,
  );

it('a partner’s link carries the whole code, whatever it holds', () => {
  const html = render();
  const [link = ''] = html.match(/https:\/\/shop\.example[^<"]*/) ?? [];
  expect(new URL(link).searchParams.get('aff')).toBe(code);
});

it('a partner’s name leads to the events that its row counts', () => {
  expect(render().replaceAll('&amp;', '&')).toContain(
    'href="/dashboard/events?partner=a%26b%3Dc+%2B%25&mode=live&from=2026-10-25&to=2026-11-21"',
  );
});

it('while the program is paused, no link tracks clicks', () => {
  expect(render({ isPaused: true })).toContain('Clicks are not tracked');
  expect(render({ isPaused: true })).toContain('works once the program is resumed');
  expect(render()).not.toContain('Clicks are not tracked');
});

it('totals that end today say that a test clock has brought later events', () => {
  expect(render({ latest: new Date('2026-12-21T12:00:00Z') })).toContain('later than this range');
  expect(render()).not.toContain('later than this range');
});

it('a search keeps the range, and another range keeps the search', () => {
  const html = render({ search: 'a&b', range: { from: '2026-10-01', to: '2026-10-31' } }).replaceAll('&amp;', '&');
  const search = html.slice(html.indexOf('role="search"'));
  expect(search).toContain('<input type="hidden" name="from" value="2026-10-01"/>');
  expect(search).toContain('<input type="hidden" name="to" value="2026-10-31"/>');
  expect(search).toContain('href="/dashboard/partners?from=2026-10-01&to=2026-10-31"');
  expect(html).toContain('href="/dashboard/partners?range=7&q=a%26b"');
  expect(html.slice(0, html.indexOf('role="search"'))).toContain('<input type="hidden" name="q" value="a&b"/>');
});
