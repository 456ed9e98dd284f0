import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import { Exceptions } from './figures';

const NONE = { clicks: 0, provisional: 0, leads: 0, sales: 0, renewals: 0, refunds: 0, unattributed: 0, revenue: [] };
const overview = {
  current: NONE,
  previous: NONE,
  days: [],
  previousDays: [],
  testEvents: { count: 0, isCapped: false },
};

test('a count links to the events of its days and mode', () => {
  const range = parseDateRange({ range: '7' }, new Date('2026-11-21T12:00:00Z'));
  const html = renderToStaticMarkup(<Exceptions overview={overview} range={range} />);
  for (const kind of ['refund', 'not_attributed']) {
    const query = `kind=${kind}&mode=live&from=2026-11-15&to=2026-11-21`;
    expect(html).toContain(`href="/dashboard/events?${query.replaceAll('&', '&amp;')}"`);
  }
});
