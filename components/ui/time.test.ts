import { expect, test } from 'vitest';
import {
  formatDate,
  formatDates, // part: service
  formatExactTime,
} from './time';

test('every month has three letters, also September', () => {
  const date = new Date('2026-09-21T10:00:00Z');
  expect(formatDate(date)).toBe('21 Sep 2026');
  expect(formatExactTime(date)).toBe('21 Sep 2026, 10:00:00 UTC');
  // part: service
  expect(formatDates({ from: date, to: new Date('2026-10-31') })).toMatch(/^21 Sep\s–\s31 Oct 2026$/);
  // end: service
});
