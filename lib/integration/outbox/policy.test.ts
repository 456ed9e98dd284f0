import { describe, expect, test } from 'vitest';
import { type Decision, decideDelivery, decideNextAttempt, type SendResult } from './policy';
import type { Report } from './report';

const lead: Report = { kind: 'lead', customerExternalId: 'user_1', clickId: 'clk_1' };
const unreferred: Report = { kind: 'lead', customerExternalId: 'user_1' };
const sale: Report = { kind: 'sale', customerExternalId: 'user_1', amount: 1900, currency: 'usd', invoiceId: 'inv_1' };
const erasure: Report = { kind: 'erasure', customerExternalId: 'user_1' };

type Row = [title: string, report: Report, result: SendResult, decision: object];

const TABLE: Row[] = [
  ['a 2xx without provisional ends it', lead, { status: 200 }, { state: 'done' }],
  ['a lead that stays provisional is tried again', lead, { status: 200, provisional: true }, { pace: 'slow' }],
  [
    'a used invoice ID (409) ends it: the sale is there',
    sale,
    { status: 409 },
    { state: 'done', reason: 'already recorded' },
  ],
  ['the 400 of a visitor whom nobody referred is expected', unreferred, { status: 400 }, { state: 'skipped' }],
  ['a sale of an unknown customer is none', sale, { status: 400, code: 'unknown_customer' }, { state: 'skipped' }],
  [
    'any other 400 is a dead letter',
    lead,
    { status: 400, code: 'unknown_click' },
    { state: 'dead', reason: 'unknown_click' },
  ],
  ['a sale that the service cannot read is a dead letter', sale, { status: 400, code: 'invalid' }, { state: 'dead' }],
  ['a body that is too large is a dead letter', lead, { status: 413 }, { state: 'dead' }],
  ['a wrong key (401) waits for a person, slowly', lead, { status: 401 }, { state: 'pending', pace: 'slow' }],
  ['a forbidden key (403) waits for a person, slowly', lead, { status: 403 }, { state: 'pending', pace: 'slow' }],
  ['a wrong address (404) waits for a person, slowly', lead, { status: 404 }, { state: 'pending', pace: 'slow' }],
  ['a service without erasure has nothing to erase', erasure, { status: 404 }, { state: 'skipped' }],
  [
    '429 waits as long as it is told',
    lead,
    { status: 429, retryAfterSeconds: 7 },
    { state: 'pending', afterSeconds: 7 },
  ],
  ['429 without a time waits a minute', lead, { status: 429 }, { state: 'pending', afterSeconds: 60 }],
  ['a 5xx is tried again', lead, { status: 503 }, { state: 'pending', pace: 'normal' }],
  ['no answer is tried again', lead, { status: null, reason: 'timeout' }, { state: 'pending', pace: 'normal' }],
];

describe('docs/decisions/0061: what an answer of the tracking service does to a report', () => {
  test.each(TABLE)('%s', (_, report, result, decision) => {
    expect(decideDelivery(report, result)).toMatchObject(decision);
  });
});

const queuedAt = new Date('2026-11-21T00:00:00Z');
const later = (seconds: number) => new Date(queuedAt.getTime() + seconds * 1000);
const failed: Decision = { state: 'pending', pace: 'normal', reason: 'the service failed' };

/** The wait in seconds. */
function waitAfter(verdict: Decision, { attempts, age, random }: { attempts: number; age: number; random: number }) {
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
    const slow: Decision = { state: 'pending', pace: 'slow', reason: 'refused' };
    expect(waitAfter(slow, { attempts: 1, age: 0, random: 0 })).toBe(450);
    expect(waitAfter(slow, { attempts: 1, age: 0, random: 1 })).toBe(900);
  });

  test('Retry-After is kept to the second', () => {
    const told: Decision = { state: 'pending', afterSeconds: 7, reason: 'too many' };
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
    const verdict: Decision = { state, reason: 'so' };
    expect(decideNextAttempt(verdict, { queuedAt, attempts: 1, now: queuedAt, random: 0 }).state).toBe(state);
  });
});
