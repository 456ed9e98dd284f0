import { expect, it } from 'vitest';
import { toCsvLine } from './csv';

it.each(['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=1', '＝1', '＋1', '－1', '＠x'])(
  '%j is not a formula any more',
  (text) => {
    expect(toCsvLine([text]).startsWith(`"'`)).toBe(true);
  },
);

it.each([
  ["x;=cmd|'/C calc'!A0", "x;'=cmd|'/C calc'!A0"],
  ['x; -1', "x; '-1"],
  ['x\n=1', "x\n'=1"],
  ['x;"=1+1;y', `x;""'=1+1;y`],
  ['x;" "=1', `x;"" ""'=1`],
  ['a-b=c@d', 'a-b=c@d'],
])('%j has no formula after a separator of another locale', (text, cell) => {
  expect(toCsvLine([text])).toBe(`"${cell}"\r\n`);
});

it('numbers stay numbers, nothing stays empty, quotes and breaks stay in their cell', () => {
  expect(toCsvLine([-900, null, 'say "hi"\nthere', true])).toBe('"-900","","say ""hi""\nthere","true"\r\n');
});
