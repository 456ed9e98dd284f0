import { describe, expect, test } from 'vitest';
import { decideLead, type LeadDecision, type LeadFacts } from './lead';

const browser: LeadFacts = {
  caller: 'browser',
  policy: 'server_verified',
  click: 'valid',
  provisional: 'none',
  isCustomerKnown: false,
  test: false,
};
const server: LeadFacts = { ...browser, caller: 'server' };
const payment: LeadFacts = { ...browser, caller: 'payment' };
const openBrowser: LeadFacts = { ...browser, policy: 'browser_allowed' };

type Row = [sentence: string, facts: LeadFacts, decision: LeadDecision];
const reject = (code: 'not_referred' | 'unknown_click' | 'lead_already_settled'): LeadDecision => ({
  outcome: 'reject',
  code,
});

describe('§3, row by row', () => {
  test.each<Row>([
    ['(none), browser signup, server-verified: provisional', browser, { outcome: 'provisional', record: true }],
    [
      'provisional, repeat browser signup, server-verified: nothing new recorded',
      { ...browser, provisional: 'waiting' },
      { outcome: 'provisional', record: false },
    ],
    [
      'provisional, server lead call, valid click: settled',
      { ...server, provisional: 'waiting' },
      { outcome: 'settle' },
    ],
    [
      'provisional, server lead call, known customer ID: settled',
      { ...server, provisional: 'waiting', click: 'none', isCustomerKnown: true },
      { outcome: 'unchanged' },
    ],
    [
      'provisional, payment with attribution metadata: settled',
      { ...payment, provisional: 'waiting' },
      { outcome: 'settle' },
    ],
    ['(none), browser signup, browser_allowed: settled', openBrowser, { outcome: 'settle' }],
    [
      'settled, repeat browser signup, browser_allowed: rejected with 400',
      { ...openBrowser, isCustomerKnown: true },
      reject('lead_already_settled'),
    ],
  ])('%s', (_, facts, decision) => {
    expect(decideLead(facts)).toEqual(decision);
  });
  // "Sale sent to the sale endpoint: provisional (unchanged)": a sale is no caller of this function at all.
});

describe('where §3 is silent', () => {
  test.each<Row>([
    ['(none), server lead call, valid click: settled', server, { outcome: 'settle' }],
    [
      'a server call without a click, unknown customer: not referred',
      { ...server, click: 'none' },
      reject('not_referred'),
    ],
    [
      'a server call with an unknown click, unknown customer: 400',
      { ...server, click: 'unknown' },
      reject('unknown_click'),
    ],
    [
      'settled, server lead call: 2xx, the first attribution stays',
      { ...server, isCustomerKnown: true },
      { outcome: 'unchanged' },
    ],
    [
      'an unknown click does not matter for a known customer',
      { ...server, click: 'unknown', isCustomerKnown: true },
      { outcome: 'unchanged' },
    ],
    [
      'settled, browser signup, server-verified: the caller learns nothing',
      { ...browser, provisional: 'settled', isCustomerKnown: true },
      { outcome: 'provisional', record: false },
    ],
    [
      'whether the customer is known plays no part for a browser on a server-verified program',
      { ...browser, isCustomerKnown: true },
      { outcome: 'provisional', record: true },
    ],
    [
      'a provisional lead is repeated also when its click is out of the window',
      { ...browser, click: 'unknown', provisional: 'waiting' },
      { outcome: 'provisional', record: false },
    ],
    ['a browser call without a click: 400', { ...browser, click: 'none' }, reject('not_referred')],
    ['a browser call with an unknown click: 400', { ...browser, click: 'unknown' }, reject('unknown_click')],
    [
      'a provisional lead from before the policy changed settles on the next browser signup',
      { ...openBrowser, provisional: 'waiting' },
      { outcome: 'settle' },
    ],
    ['browser_allowed without a click: 400', { ...openBrowser, click: 'none' }, reject('not_referred')],
    ['browser_allowed with an unknown click: 400', { ...openBrowser, click: 'unknown' }, reject('unknown_click')],
    ['the policy plays no part for a server', { ...server, policy: 'browser_allowed' }, { outcome: 'settle' }],
    ['(none), payment with a valid click: settled', payment, { outcome: 'settle' }],
    [
      'a payment settles a provisional lead also when its click is out of the window: the signup was in time',
      { ...payment, click: 'unknown', provisional: 'waiting' },
      { outcome: 'settle' },
    ],
    ['settled, payment: the first attribution stays', { ...payment, isCustomerKnown: true }, { outcome: 'unchanged' }],
    ['a payment with an unknown click settles nothing', { ...payment, click: 'unknown' }, reject('unknown_click')],
    ['a payment without a click settles nothing', { ...payment, click: 'none' }, reject('not_referred')],
    ['a test lead needs no click', { ...server, test: true, click: 'none' }, { outcome: 'settle' }],
    [
      'a repeated test lead changes nothing',
      { ...server, test: true, isCustomerKnown: true },
      { outcome: 'unchanged' },
    ],
  ])('%s', (_, facts, decision) => {
    expect(decideLead(facts)).toEqual(decision);
  });
});
