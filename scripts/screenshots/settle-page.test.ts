import { expect, test } from 'vitest';
import { settleText, shownTime } from './settle-page';

const NOW = Date.UTC(2027, 3, 5, 8, 31, 7);

test('two runs show the same IDs, and the same one for the same thing', () => {
  const one = settleText('clk_AAAAAAAAAA by user_BBBBBBBB, again clk_AAAAAAAAAA', NOW, new Map());
  const two = settleText('clk_CCCCCCCCCC by user_DDDDDDDD, again clk_CCCCCCCCCC', NOW, new Map());
  expect(one).toBe(two);
  const [first, , , , again] = one.split(/[ ,]+/);
  expect(first).toBe(again);
  expect(first).toMatch(/^clk_\w{10}$/);
});

test('times are on the clock of the pictures, whatever a run took', () => {
  const shown = (text: string) => settleText(text, NOW, new Map());
  expect(shown('5 Apr 2027, 08:30:58 UTC')).toBe('21 Nov 2026, 12:00:00 UTC');
  expect(shown('5 Apr 2027, 08:20:55 UTC')).toBe(shown('5 Apr 2027, 08:21:20 UTC'));
  expect(shownTime(NOW + 31 * 86_400_000, NOW)).toBe(Date.UTC(2026, 11, 22, 12, 0));
  expect(shown('"2027-04-05T08:30:58.123Z"')).toBe('"2026-11-21T12:00:00.000Z"');
  expect(shown('answered 200 in 47 ms')).toBe('answered 200 in 12 ms');
});
