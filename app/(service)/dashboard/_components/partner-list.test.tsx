import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import { PartnerList } from './partner-list';

const NOW = new Date('2026-11-21T12:00:00Z');
const code = 'a&b=c +%';
const partner = { code, name: 'Ada', isActive: true, clicks: 0, leads: 0, newSales: 0, renewals: 0, revenue: [] };
const render = ({ latest = NOW, isPaused = false } = {}) =>
  renderToStaticMarkup(
    <PartnerList
      page={{ partners: [partner], nextCursor: null }}
      range={parseDateRange({}, NOW)}
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
  expect(render({ latest: new Date('2026-12-21T12:00:00Z') })).toContain('dated after these days');
  expect(render()).not.toContain('dated after these days');
});
