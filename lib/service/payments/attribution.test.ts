import { describe, expect, test } from 'vitest';
import { decidePaymentAccount, decidePaymentAttribution, type PaymentAttributionFacts } from './attribution.ts';

describe('a payment counts where it comes through the connected payment account, in its mode', () => {
  const program = { paymentAccountId: 'acct_1', paymentMode: 'test' } as const;
  const event = { accountId: 'acct_1', livemode: false };

  test.each([
    ['the account, in its mode', program, event, null],
    ["the endpoint's own account, which an event does not name", program, { ...event, accountId: null }, null],
    [
      'live events of a program connected live',
      { ...program, paymentMode: 'live' as const },
      { ...event, livemode: true },
      null,
    ],
    ['no program', null, event, 'unknown_program'],
    [
      'no account connected',
      { paymentAccountId: null, paymentMode: null },
      { ...event, accountId: null },
      'no_payment_account',
    ],
    [
      'the account that was disconnected',
      { paymentAccountId: event.accountId, paymentMode: null },
      event,
      'no_payment_account',
    ],
    [
      'another account, where none is connected',
      { paymentAccountId: null, paymentMode: null },
      event,
      'account_mismatch',
    ],
    ['another account', program, { ...event, accountId: 'acct_2' }, 'account_mismatch'],
    ['a live event of a program in test mode', program, { ...event, livemode: true }, 'mode_mismatch'],
    ['a test event of a live program', { ...program, paymentMode: 'live' as const }, event, 'mode_mismatch'],
  ])('%s', (_, program, event, reason) => {
    expect(decidePaymentAccount({ program, event })).toBe(reason);
  });
});

describe('who a payment is attributed to', () => {
  const facts: PaymentAttributionFacts = {
    metadata: { clickId: 'clk_1', customerKey: 'user_1' },
    click: 'valid',
    isCustomerKnown: false,
    lead: { outcome: 'settle' },
  };
  const rejected = { outcome: 'reject', code: 'unknown_click' } as const;

  test('a valid click: its partner, and the lead settles', () => {
    expect(decidePaymentAttribution(facts)).toEqual({ attributed: true, by: 'click', settlesLead: true });
  });

  test('a known customer: the attribution of its lead, whatever the click says', () => {
    const known = { ...facts, isCustomerKnown: true, lead: { outcome: 'unchanged' } as const };
    expect(decidePaymentAttribution(known)).toEqual({ attributed: true, by: 'customer', settlesLead: false });
  });

  test('a valid click without a customer key: its partner, and no lead, since no customer is named', () => {
    const anonymous = { ...facts, metadata: { clickId: 'clk_1', customerKey: null } };
    expect(decidePaymentAttribution(anonymous)).toEqual({ attributed: true, by: 'click', settlesLead: false });
  });

  test.each([
    ['no_attribution', { ...facts, metadata: { clickId: null, customerKey: null }, click: 'none' as const }],
    ['unknown_click', { ...facts, click: 'unknown' as const, lead: rejected }],
    [
      'unknown_click',
      { ...facts, click: 'unknown' as const, metadata: { clickId: 'clk_1', customerKey: null }, lead: rejected },
    ],
    [
      'unknown_customer',
      { ...facts, click: 'none' as const, metadata: { clickId: null, customerKey: 'user_1' }, lead: rejected },
    ],
  ])('not attributed: %s', (reason, unmatched) => {
    expect(decidePaymentAttribution(unmatched)).toEqual({ attributed: false, reason });
  });
});
