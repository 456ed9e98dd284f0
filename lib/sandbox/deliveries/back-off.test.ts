import { describe, expect, test } from 'vitest';
import { decideNextAttempt } from './back-off';

describe('back-off of deliveries', () => {
  const now = new Date('2026-01-01T00:00:00Z');

  test('waits longer after each failed attempt', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((count) => (decideNextAttempt(count, now)?.getTime() ?? 0) - now.getTime());
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBe(1000);
  });

  test('gives up after the eighth attempt', () => {
    expect(decideNextAttempt(8, now)).toBeNull();
  });
});
