import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { OutboxCard } from './outbox-card';

const NONE = { rows: [], next: null };

const show = (query: Record<string, string>, next: string | null = null) =>
  renderToStaticMarkup(
    <OutboxCard dead={{ ...NONE, next }} pending={NONE} query={query} now={new Date('2026-11-21T12:00:00Z')} />,
  );

it('only the first pages tell that all reports are delivered', () => {
  expect(show({})).toContain('All reports are delivered');
  expect(show({ transfers: 'abc' })).toContain('All reports are delivered');
  for (const list of ['dead', 'pending']) {
    expect(show({ [list]: 'abc' })).not.toContain('All reports are delivered');
    expect(show({ [list]: 'abc' })).toContain('No more reports on this page');
  }
});

it('to another page of one list, the other lists stay where they are', () => {
  const links = [...show({ dead: 'abc', pending: 'def', transfers: 'ghi' }, 'next').matchAll(/href="([^"]*)"/g)];
  expect(links.map(([, href]) => href?.replaceAll('&amp;', '&'))).toEqual([
    '/operator?pending=def&transfers=ghi',
    '/operator?dead=next&pending=def&transfers=ghi',
    '/operator?dead=abc&transfers=ghi',
  ]);
});
