import { expect, it } from 'vitest';
import { toCsvLine } from './csv';

it.each(['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=1', '＝1', '＋1', '－1', '＠x'])(
  '%j is not a formula any more',
  (text) => {
    expect(toCsvLine([text]).startsWith(`"'`)).toBe(true);
  },
);

it('numbers stay numbers, nothing stays empty, quotes and breaks stay in their cell', () => {
  expect(toCsvLine([-900, null, 'say "hi"\nthere', true])).toBe('"-900","","say ""hi""\nthere","true"\r\n');
});
