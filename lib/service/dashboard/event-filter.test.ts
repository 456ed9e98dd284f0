import { expect, it } from 'vitest';
import { writeCursor } from '../events/cursor';
import { isFilterName, parseEventFilter, writeEventFilter } from './event-filter';

it('an address comes back as it was', () => {
  const query = 'kind=renewal&mode=test&partner=ada&customer=user_1&click=clk_1&from=2026-11-01&to=2026-11-21';
  expect(writeEventFilter(parseEventFilter(Object.fromEntries(new URLSearchParams(query))) ?? {})).toBe(query);
});

it('a filter without a value, or with another cursor than ours, is left out', () => {
  expect(parseEventFilter({ mode: '', partner: 'ada', cursor: '???' })).toEqual({ partner: 'ada' });
});

const days = ['2026-02-31', '0000-01-01', '1969-12-31', '9999-01-01'];
const ids = ['a\0b', 'a\ud800', 'x'.repeat(256), ['a', 'b']];

it.each(
  Object.entries({ kind: ['theft'], mode: ['both'], from: days, to: days, partner: ids, customer: ids, click: ids }),
)('a %s that cannot be read is not left out, which would find all events', (name, values) => {
  for (const value of values) expect(parseEventFilter({ partner: 'ada', [name]: value })).toBeNull();
});

it('every ID that a record can hold is a filter, as it is', () => {
  for (const id of ['x'.repeat(255), ' a ', 'a&b=c +%']) {
    const filter = { partner: id, customer: id, click: id };
    expect(parseEventFilter(filter)).toEqual(filter);
    expect(parseEventFilter(Object.fromEntries(new URLSearchParams(writeEventFilter(filter))))).toEqual(filter);
  }
});

it('a cursor continues the list, and is no part of the filter’s address', () => {
  const cursor = { time: new Date('2026-11-21T12:00:00Z'), id: 'evt_1' };
  const filter = { partner: 'ada', cursor };
  expect(parseEventFilter({ partner: 'ada', cursor: writeCursor(cursor) })).toEqual(filter);
  expect(writeEventFilter({ ...filter, kind: undefined })).toBe('partner=ada');
});

it('a parameter of another name is none of the filter’s', () => {
  expect(['kind', 'cursor', 'range', 'constructor'].map(isFilterName)).toEqual([true, true, false, false]);
});
