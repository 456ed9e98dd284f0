import { expect, test } from 'vitest';
import { createId } from './ids';

test('IDs are prefixed, and of letters and digits only', () => {
  expect(createId('clk')).toMatch(/^clk_[0-9A-Za-z]{22}$/);
});

test('no ID is made twice, however many there are', () => {
  expect(new Set(Array.from({ length: 2_000 }, () => createId('clk'))).size).toBe(2_000);
});

test('every letter and digit is as likely as any other', () => {
  const seen = new Map<string, number>();
  for (let i = 0; i < 2_000; i++)
    for (const char of createId('clk').slice(4)) seen.set(char, (seen.get(char) ?? 0) + 1);
  expect(seen.size).toBe(62);
  const expected = (2_000 * 22) / 62; // 710, with a standard deviation of 26
  for (const count of seen.values()) expect(Math.abs(count - expected)).toBeLessThan(8 * 26);
});
