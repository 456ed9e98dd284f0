import { expect, it } from 'vitest';
import { parseEventFilter, writeEventFilter } from './event-filter';

it('an address comes back as it was', () => {
  const query = 'kind=renewal&mode=test&partner=ada&customer=user_1&click=clk_1&from=2026-11-01&to=2026-11-21';
  expect(writeEventFilter(parseEventFilter(Object.fromEntries(new URLSearchParams(query))))).toBe(query);
});

it('what is malformed is left out, the rest stays', () => {
  const params = { kind: 'theft', mode: '', partner: 'ada', customer: ['a', 'b'], from: '2026-02-31', cursor: '???' };
  expect(parseEventFilter(params)).toEqual({ partner: 'ada' });
});

it.each(['0000-01-01', '1969-12-31', '9999-01-01'])('%s is no day to ask for', (day) => {
  expect(parseEventFilter({ from: day, to: day, mode: 'live' })).toEqual({ mode: 'live' });
});

it.each(['partner', 'customer', 'click'])('what no record can hold is left out of %s', (name) => {
  expect(parseEventFilter({ [name]: 'a\0b', mode: 'live' })).toEqual({ mode: 'live' });
  expect(parseEventFilter({ [name]: 'a\ud800', mode: 'live' })).toEqual({ mode: 'live' });
});
