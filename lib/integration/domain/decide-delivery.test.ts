import { describe, expect, test } from 'vitest';
import { type Answer, decideDelivery } from './decide-delivery';
import type { Report } from './report';

const lead: Report = { kind: 'lead', customerExternalId: 'user_1', clickId: 'clk_1' };
const unreferred: Report = { kind: 'lead', customerExternalId: 'user_1' };
const sale: Report = { kind: 'sale', customerExternalId: 'user_1', amount: 1900, currency: 'usd', invoiceId: 'inv_1' };
const erasure: Report = { kind: 'erasure', customerExternalId: 'user_1' };

type Row = [title: string, report: Report, answer: Answer, verdict: object];

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
  test.each(TABLE)('%s', (_, report, answer, verdict) => {
    expect(decideDelivery(report, answer)).toMatchObject(verdict);
  });
});
