import { describe, expect, test } from 'vitest';
import { type Decision, decideDelivery, decideNextAttempt, type SendResult } from './policy';
import type { Report } from './report';

const lead: Report = { kind: 'lead', customerExternalId: 'user_1', clickId: 'cust_1' };
const withEmail: Report = { ...lead, email: 'ada@example.com' };
const notReferred: Report = { kind: 'lead', customerExternalId: 'user_1', email: 'ada@example.com' };
const sale: Report = { kind: 'sale', customerExternalId: 'user_1', amount: 1900, currency: 'usd', invoiceId: 'inv_1' };
const erasure: Report = { kind: 'erasure', customerExternalId: 'user_1' };

const done = { state: 'done', reason: 'recorded' };
const skipped = { state: 'skipped', reason: 'not referred by a partner' };
const dead = { state: 'dead', reason: 'the service refused the report' };
const unreadable = { state: 'dead', reason: 'the service cannot read the report' };
const slow = { state: 'pending', pace: 'slow', reason: 'refused: check SVC_API_KEY and NEXT_PUBLIC_SVC_BASE_URL' };
const retry = (status: number) => ({ state: 'pending', pace: 'normal', reason: `status ${status}` });
const wait = (afterSeconds: number) => ({ state: 'pending', afterSeconds, reason: 'rate limited' });

type Row = [title: string, report: Report, result: SendResult, decision: object];

const TABLE: Row[] = [
  ['a 200 without provisional completes a lead', lead, { status: 200, provisional: false }, done],
  ['a 201 completes a sale', sale, { status: 201 }, done],
  ['a 299 is a 2xx too', sale, { status: 299 }, done],
  ['a redirect is not a 2xx: the address is wrong', sale, { status: 300 }, slow],
  ['a status below 200 is not a 2xx', sale, { status: 199 }, slow],
  [
    'a lead that stays provisional is tried again: the API key did not arrive',
    lead,
    { status: 200, provisional: true },
    { state: 'pending', pace: 'slow', reason: 'provisional: the API key did not arrive' },
  ],
  [
    'a used invoice ID (409) completes it: the sale is there',
    sale,
    { status: 409 },
    { ...done, reason: 'already recorded' },
  ],
  ['§7: the 400 of a visitor who was not referred is expected', notReferred, { status: 400 }, skipped],
  [
    'a 400 for a lead without a click ID is expected, whatever its code',
    notReferred,
    { status: 400, code: 'click_required' },
    skipped,
  ],
  ['a sale of an unknown customer is skipped', sale, { status: 400, code: 'unknown_customer' }, skipped],
  ['a sale that is refused without a code is skipped: it carries no click ID', sale, { status: 400 }, skipped],
  [
    'a sale that the service cannot read is a dead letter',
    sale,
    { status: 400, code: 'invalid' },
    { ...dead, reason: 'invalid' },
  ],
  [
    'a lead with a click ID and an email is sent again without it',
    withEmail,
    { status: 400 },
    { state: 'again', report: lead },
  ],
  [
    'a lead with a click ID and an email is sent again, whatever the code',
    withEmail,
    { status: 400, code: 'unknown_click' },
    { state: 'again', report: lead },
  ],
  ['without an email a refused click ID is a dead letter', lead, { status: 400 }, dead],
  [
    'a dead letter has the code of the service as its reason',
    lead,
    { status: 400, code: 'unknown_click' },
    { ...dead, reason: 'unknown_click' },
  ],
  ['an erasure that is refused is a dead letter', erasure, { status: 400 }, dead],
  [
    'a lead that is unknown to the service is no reason to skip',
    lead,
    { status: 400, code: 'unknown_customer' },
    { ...dead, reason: 'unknown_customer' },
  ],
  [
    'a field that cannot be read (422) does not cost the lead',
    withEmail,
    { status: 422 },
    { state: 'again', report: lead },
  ],
  ['a lead without a click ID may be refused with 422: the field is missing', notReferred, { status: 422 }, skipped],
  ['a lead that still cannot be read without its email address is a dead letter', lead, { status: 422 }, unreadable],
  [
    'a sale that cannot be read (422) is a dead letter, not a sale of an unknown customer',
    sale,
    { status: 422 },
    unreadable,
  ],
  ['a body that is too large is a dead letter', lead, { status: 413 }, unreadable],
  ['a body that is not accepted as JSON is a dead letter', lead, { status: 415 }, unreadable],
  ['a wrong key (401) waits for a person, slowly', lead, { status: 401 }, slow],
  ['a forbidden key (403) waits for a person, slowly', lead, { status: 403 }, slow],
  ['a wrong address (404) waits for a person, slowly', lead, { status: 404 }, slow],
  ['an unforeseen status waits for a person, slowly', lead, { status: 499 }, slow],
  ...[404, 405, 501].map(
    (status): Row => [
      `a service without erasure (${status}) has nothing to erase`,
      erasure,
      { status },
      { state: 'skipped', reason: 'no such call or customer' },
    ],
  ),
  ['a 501 for anything but an erasure is tried again', lead, { status: 501 }, retry(501)],
  ['429 waits as long as it is told', lead, { status: 429, retryAfterSeconds: 7 }, wait(7)],
  ['429 may say zero', lead, { status: 429, retryAfterSeconds: 0 }, wait(0)],
  ['429 without a time waits a minute', lead, { status: 429 }, wait(60)],
  ['408 is tried again', lead, { status: 408 }, retry(408)],
  ['a 5xx is tried again', lead, { status: 500 }, retry(500)],
  ['a 503 for a sale is tried again', sale, { status: 503 }, retry(503)],
  [
    'no response is tried again',
    lead,
    { status: null, reason: 'timeout' },
    { state: 'pending', pace: 'normal', reason: 'timeout' },
  ],
];

describe('docs/decisions/0014: what a response of the tracking service does to a report', () => {
  test.each(TABLE)('%s', (_, report, result, decision) => {
    expect(decideDelivery(report, result)).toEqual(decision);
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
    expect(waitAfter(failed, { attempts: 20, age: 3599, random: 1 })).toBe(45);
    expect(waitAfter(failed, { attempts: 20, age: 3600, random: 1 })).toBe(900);
  });

  test('full jitter spreads it down to nothing', () => {
    expect(waitAfter(failed, { attempts: 20, age: 60, random: 0 })).toBe(0);
    expect(waitAfter(failed, { attempts: 20, age: 60, random: 0.5 })).toBe(22.5);
  });

  test('in the first hour no wait and the drain of 5 s together exceed a minute', () => {
    const waits = Array.from({ length: 100 }, (_, index) =>
      waitAfter(failed, { attempts: index, age: 3599, random: 1 }),
    );
    expect(Math.max(...waits) + 5).toBeLessThanOrEqual(60);
  });

  test('what a person has to correct waits between 7.5 and 15 minutes', () => {
    const slow: Decision = { state: 'pending', pace: 'slow', reason: 'refused' };
    expect(waitAfter(slow, { attempts: 1, age: 0, random: 0 })).toBe(450);
    expect(waitAfter(slow, { attempts: 1, age: 0, random: 1 })).toBe(900);
  });

  test('Retry-After is kept to the second', () => {
    const told: Decision = { state: 'pending', afterSeconds: 7, reason: 'too many' };
    expect(waitAfter(told, { attempts: 3, age: 0, random: 0 })).toBe(7);
  });

  test.each([
    [7, 14],
    [600, 630],
  ])('reports that were told to wait %d s are spread over as long again, half a minute at most', (told, latest) => {
    const decision: Decision = { state: 'pending', afterSeconds: told, reason: 'too many' };
    expect(waitAfter(decision, { attempts: 3, age: 0, random: 1 })).toBe(latest);
  });

  test.each([
    [0, 1],
    [3600, 3600],
    [3601, 3600],
    [Number.MAX_SAFE_INTEGER, 3600],
  ])('Retry-After: %d waits %d s: no service asks for no pause, or for one longer than an hour', (told, expected) => {
    const decision: Decision = { state: 'pending', afterSeconds: told, reason: 'too many' };
    expect(waitAfter(decision, { attempts: 3, age: 0, random: 0 })).toBe(expected);
  });

  test('after 7 days it is a dead letter that says why', () => {
    const attempt = { queuedAt, attempts: 900, now: later(7 * 86_400), random: 0 };
    expect(decideNextAttempt(failed, attempt)).toMatchObject({
      state: 'dead',
      reason: 'given up after 7 days: the service failed',
    });
    expect(decideNextAttempt(failed, { ...attempt, now: later(7 * 86_400 - 1) })).toMatchObject({
      state: 'pending',
      reason: 'the service failed',
    });
  });

  test.each(['done', 'skipped', 'dead'] as const)('%s stays so, at whatever age, and says why', (state) => {
    const now = later(8 * 86_400);
    const result = decideNextAttempt({ state, reason: 'so' }, { queuedAt, attempts: 1, now, random: 0.5 });
    expect(result).toEqual({ state, dueAt: now, reason: 'so' });
  });
});
