import { expect, test } from 'vitest';
import { readPageCursor, toPage } from './page-cursor';

const rows = [3, 2, 1].map((id) => ({ id: `LD-${id}`, at: new Date(id * 1000) }));

test('a full page leads on from its last row', () => {
  const { rows: page, next } = toPage(rows, 2, (row) => row);
  expect(page).toEqual(rows.slice(0, 2));
  expect(readPageCursor(next)).toEqual(rows[1]);
});

test('the last page leads nowhere', () => {
  expect(toPage(rows, 3, (row) => row)).toEqual({ rows, next: null });
});

test.each([
  undefined,
  '',
  'x',
  ['a'],
  'eyJhIjoxfQ',
  Buffer.from('[1,"a\\u0000"]').toString('base64url'),
  Buffer.from('[1e99,"a"]').toString('base64url'),
])('any other text is none: %j', (text) => {
  expect(readPageCursor(text)).toBeNull();
});
