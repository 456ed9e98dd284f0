import { expect, test } from 'vitest';
import { formatDate, formatExactTime } from './time';

test('every month has three letters, also September', () => {
  const date = new Date('2026-09-21T10:00:00Z');
  expect(formatDate(date)).toBe('21 Sep 2026');
  expect(formatExactTime(date)).toBe('21 Sep 2026, 10:00:00 UTC');
});
