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

it('says of each report whether it is tried again by itself', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const entry = {
    kind: 'lead',
    customerExternalId: 'user_1',
    attempts: 2,
    lastReason: '503',
    queuedAt: now,
    dueAt: now,
  };
  const page = (id: string, state: 'pending' | 'dead') => ({ rows: [{ ...entry, id, state }], next: null });
  const html = renderToStaticMarkup(
    <OutboxCard dead={page('msg_dead', 'dead')} pending={page('msg_wait', 'pending')} query={{}} now={now} />,
  );
  const rowOf = (id: string) => new RegExp(`<tr[^>]*id="${id}".*?</tr>`).exec(html)?.[0];
  expect(rowOf('msg_wait')).toMatch(/Pending.*503.*Next attempt/);
  expect(rowOf('msg_dead')).toContain('Dead letter');
  expect(rowOf('msg_dead')).not.toContain('Next attempt');
});
