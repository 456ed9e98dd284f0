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
