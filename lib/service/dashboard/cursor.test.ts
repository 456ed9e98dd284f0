import { expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor';

it('a cursor comes back as it was', () => {
  const place = { time: new Date('2026-11-21T00:54:12.345Z'), id: 'evt_3nVqAz' };
  expect(readCursor(writeCursor(place))).toEqual(place);
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it.each([
  '',
  'nonsense',
  encode([1]),
  encode([1, "x' OR 1=1"]),
  encode(['now', 'evt_1']),
  encode([1e300, 'evt_1']),
  encode([9e15, 'evt_1']),
  encode([-1, 'evt_1']),
])('%j is no cursor', (text) => {
  expect(readCursor(text)).toBeNull();
});
