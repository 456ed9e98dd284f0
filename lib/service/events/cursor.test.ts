import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCursor, toPage, writeCursor } from './cursor';

const position = { time: new Date('2026-01-02T03:04:05.678Z'), id: 'evt_0123456789ABCDEFGHIJKL' };

test('a cursor leads back to its position', () => {
  expect(readCursor(writeCursor(position))).toEqual(position);
});

test('so does one in the last year with four digits', () => {
  const last = { ...position, time: new Date(Date.UTC(9999, 0)) };
  expect(readCursor(writeCursor(last))).toEqual(last);
});

test('a cursor that is changed anywhere is none of ours', () => {
  const cursor = writeCursor(position);
  for (let i = 0; i < cursor.length; i++) {
    const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1);
    expect(readCursor(changed)).toBeNull();
  }
});

test('neither is any other text', () => {
  fc.assert(fc.property(fc.string(), (text) => readCursor(text) === null));
});

test.each([undefined, ['a', 'b'], 1])('nor is %j, which is no text', (value) => {
  expect(readCursor(value)).toBeNull();
});

test.each([
  '',
  '.',
  'NaN.evt_a',
  '1',
  '1.',
  '.evt_a',
  '1.evt_\0',
  'x1.evt_a',
  '1.evt_a!',
  "1.x' OR 1=1",
  `1.${'a'.repeat(65)}`,
  '01.evt_a',
  '-1.evt_a',
  '1e3.evt_a',
  `${Date.UTC(9999, 0) + 1}.evt_a`,
  '9000000000000000.evt_a',
])('nor is %j with a check that is right', (text) => {
  const check = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  expect(readCursor(Buffer.from(`${check}${text}`).toString('base64url'))).toBeNull();
});

test('nor is a cursor with characters that base64url ignores', () => {
  expect(readCursor(`${writeCursor(position)}!`)).toBeNull();
});

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`);
const pageOf = (rows: string[]) => toPage(rows, 2, (id) => ({ time: position.time, id }));

test.each([0, 1, 2])('%i rows that fit are the last page', (count) => {
  expect(pageOf(idsOf(count))).toEqual({ rows: idsOf(count), nextCursor: null });
});

test('of one row more than fits, the next page begins after the last that is shown', () => {
  const nextCursor = writeCursor({ time: position.time, id: 'evt_1' });
  expect(pageOf(idsOf(3))).toEqual({ rows: ['evt_0', 'evt_1'], nextCursor });
});

test('a page without room has no next one', () => {
  expect(toPage(['evt_0'], 0, (id) => ({ time: position.time, id }))).toEqual({ rows: [], nextCursor: null });
});
