import { describe, expect, test } from 'vitest';
import type { Verdict } from './decide-delivery';
import { decideNextAttempt } from './decide-next-attempt';

const queuedAt = new Date('2026-11-21T00:00:00Z');
const later = (seconds: number) => new Date(queuedAt.getTime() + seconds * 1000);
const failed: Verdict = { state: 'pending', pace: 'normal', reason: 'the service failed' };

/** The wait in seconds. */
function waitAfter(verdict: Verdict, { attempts, age, random }: { attempts: number; age: number; random: number }) {
  const now = later(age);
  return (decideNextAttempt(verdict, { queuedAt, attempts, now, random }).dueAt.getTime() - now.getTime()) / 1000;
}

describe('when a report is tried again', () => {
  test('the longest wait doubles from 2 s to 45 s in the first hour', () => {
    const longest = [1, 2, 3, 4, 5, 6, 20].map((attempts) => waitAfter(failed, { attempts, age: 60, random: 1 }));
    expect(longest).toEqual([2, 4, 8, 16, 32, 45, 45]);
  });

  test('after an hour it grows to 15 minutes', () => {
    expect(waitAfter(failed, { attempts: 20, age: 3600, random: 1 })).toBe(900);
  });

  test('full jitter spreads it down to nothing', () => {
    expect(waitAfter(failed, { attempts: 20, age: 60, random: 0 })).toBe(0);
    expect(waitAfter(failed, { attempts: 20, age: 60, random: 0.5 })).toBe(22.5);
  });

  test('an outage of any length in the first hour is over a minute after it ends, the drain of 5 s included', () => {
    const waits = Array.from({ length: 100 }, (_, index) =>
      waitAfter(failed, { attempts: index, age: 3599, random: 1 }),
    );
    expect(Math.max(...waits) + 5).toBeLessThanOrEqual(60);
  });

  test('what a person has to put right waits between 7.5 and 15 minutes', () => {
    const slow: Verdict = { state: 'pending', pace: 'slow', reason: 'refused' };
    expect(waitAfter(slow, { attempts: 1, age: 0, random: 0 })).toBe(450);
    expect(waitAfter(slow, { attempts: 1, age: 0, random: 1 })).toBe(900);
  });

  test('Retry-After is kept to the second', () => {
    const told: Verdict = { state: 'pending', afterSeconds: 7, reason: 'too many' };
    expect(waitAfter(told, { attempts: 3, age: 0, random: 0 })).toBe(7);
  });

  test('after 7 days it is a dead letter that says why', () => {
    const attempt = { queuedAt, attempts: 900, now: later(7 * 86_400), random: 0 };
    expect(decideNextAttempt(failed, attempt)).toMatchObject({
      state: 'dead',
      reason: 'given up after 7 days: the service failed',
    });
    expect(decideNextAttempt(failed, { ...attempt, now: later(7 * 86_400 - 1) }).state).toBe('pending');
  });

  test.each(['done', 'skipped', 'dead'] as const)('%s stays %s', (state) => {
    const verdict: Verdict = { state, reason: 'so' };
    expect(decideNextAttempt(verdict, { queuedAt, attempts: 1, now: queuedAt, random: 0 }).state).toBe(state);
  });
});
