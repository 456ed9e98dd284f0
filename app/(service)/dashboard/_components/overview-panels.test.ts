import { expect, test } from 'vitest';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import { describeDays } from './overview-panels';

const NOW = new Date('2026-11-21T12:00:00Z');
const TOMORROW = new Date('2026-11-22T00:00:00Z');

test('figures that end today say that a test clock has brought later events', () => {
  expect(describeDays(parseDateRange({}, NOW), TOMORROW)).toContain('dated after these days');
});

test('they say nothing of events of today, of none, and beside dates that were chosen', () => {
  for (const latest of [new Date('2026-11-21T23:59:59Z'), undefined]) {
    expect(describeDays(parseDateRange({}, NOW), latest)).not.toContain('dated after');
  }
  const chosen = parseDateRange({ from: '2026-11-01', to: '2026-11-03' }, NOW);
  expect(describeDays(chosen, TOMORROW)).not.toContain('dated after');
});
