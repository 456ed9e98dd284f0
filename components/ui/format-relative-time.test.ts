import { expect, it } from 'vitest';
import { formatRelativeTime } from './format-relative-time';

const MINUTE = 60_000;

it('names the largest whole unit, in both directions', () => {
  expect(formatRelativeTime(0, 59_000)).toBe('just now');
  expect(formatRelativeTime(0, 59 * MINUTE)).toBe('59 minutes ago');
  expect(formatRelativeTime(0, 90 * MINUTE)).toBe('1 hour ago');
  expect(formatRelativeTime(3 * 24 * 60 * MINUTE, 0)).toBe('in 3 days');
});
