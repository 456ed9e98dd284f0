import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { parseEventFilter, writeEventFilter } from '@/lib/service/dashboard/event-filter';
import { writeCursor } from '@/lib/service/events/cursor';
import { CursorPager } from './cursor-pager';

const filter = { kind: 'sale', customer: 'a&b=c +%' } as const;
const position = { time: new Date('2026-11-21T12:00:00Z'), id: 'evt_1' };

/** Where each link of the pager leads, read as the page of events reads its address. */
const linksOf = (isFirst: boolean, nextCursor: string | null) => {
  const pager = (
    <CursorPager path="/dashboard/events" query={writeEventFilter(filter)} isFirst={isFirst} nextCursor={nextCursor} />
  );
  return [...renderToStaticMarkup(pager).matchAll(/href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href = '', text]) => {
    const url = new URL(href.replaceAll('&amp;', '&'), 'https://shop.example');
    return [text, url.pathname, parseEventFilter(Object.fromEntries(url.searchParams))];
  });
};

it('leads to the older events of the same filter, and back to the newest', () => {
  const older = ['Older', '/dashboard/events', { ...filter, cursor: position }];
  const newest = ['Newest', '/dashboard/events', filter];
  expect(linksOf(true, writeCursor(position))).toEqual([older]);
  expect(linksOf(false, writeCursor(position))).toEqual([newest, older]);
  expect(linksOf(false, null)).toEqual([newest]);
  expect(linksOf(true, null)).toEqual([]);
});
