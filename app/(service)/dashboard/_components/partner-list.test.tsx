import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import { PartnerList } from './partner-list';

const NOW = new Date('2026-11-21T12:00:00Z');
const code = 'a&b=c +%';
const partner = { code, name: 'Ada', isActive: true, clicks: 0, leads: 0, newSales: 0, renewals: 0, revenue: [] };
const render = (latest = NOW) =>
  renderToStaticMarkup(
    <PartnerList
      page={{ partners: [partner], nextCursor: null }}
      range={parseDateRange({}, NOW)}
      latest={latest}
      isFirst
      base="https://shop.example"
    />,
  );

it('a partner’s link carries the whole code, whatever it holds', () => {
  const html = render();
  const [link = ''] = html.match(/https:\/\/shop\.example[^<"]*/) ?? [];
  expect(new URL(link).searchParams.get('aff')).toBe(code);
});

it('totals that end today say that a test clock has brought later events', () => {
  expect(render(new Date('2026-12-21T12:00:00Z'))).toContain('dated after these days');
  expect(render()).not.toContain('dated after these days');
});
