import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import { PartnerList } from './partner-list';

it('a partner’s link carries the whole code, whatever it holds', () => {
  const code = 'a&b=c +%';
  const partner = { code, name: 'Ada', isActive: true, clicks: 0, leads: 0, newSales: 0, renewals: 0, revenue: [] };
  const html = renderToStaticMarkup(
    <PartnerList
      page={{ partners: [partner], nextCursor: null }}
      range={parseDateRange({}, new Date())}
      isFirst
      base="https://shop.example"
    />,
  );
  const [link = ''] = html.match(/https:\/\/shop\.example[^<"]*/) ?? [];
  expect(new URL(link).searchParams.get('aff')).toBe(code);
});
