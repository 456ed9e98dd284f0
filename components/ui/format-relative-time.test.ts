import { expect, it } from 'vitest';
import { formatRelativeTime } from './format-relative-time';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

it('counts the whole units of a past time', () => {
  expect(formatRelativeTime(0, 59_000)).toBe('just now');
  expect(formatRelativeTime(0, 59 * MINUTE)).toBe('59 minutes ago');
  expect(formatRelativeTime(0, 90 * MINUTE)).toBe('1 hour ago');
});

it('rounds a future time: the page is read a moment after the time was set', () => {
  expect(formatRelativeTime(59_000, 0)).toBe('just now');
  expect(formatRelativeTime(59_000, 0, true)).toBe('within a minute');
  expect(formatRelativeTime(3 * DAY, 0)).toBe('in 3 days');
  expect(formatRelativeTime(DAY, 1_000)).toBe('in 24 hours');
  expect(formatRelativeTime(30 * DAY, 1_000)).toBe('in 30 days');
  expect(formatRelativeTime(16 * DAY, 0)).toBe('in 16 days');
});
