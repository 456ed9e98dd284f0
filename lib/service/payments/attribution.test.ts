import { describe, expect, test } from 'vitest';
import type { LeadFacts } from '../domain/lead';
import { decidePaymentAccount, decidePaymentAttribution } from './attribution';

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
  const metadata = { clickId: 'clk_1', customerKey: 'user_1' };
  const facts: LeadFacts = {
    caller: 'payment',
    policy: 'server_verified',
    click: 'valid',
    provisional: 'none',
    isCustomerKnown: false,
    test: false,
  };

  test('a valid click: its partner, and the lead settles', () => {
    const attribution = { attributed: true, by: 'click', settlesLeadOf: 'user_1' };
    expect(decidePaymentAttribution(metadata, facts)).toEqual(attribution);
  });

  test('a known customer: the attribution of its lead, whatever the click says', () => {
    const attribution = { attributed: true, by: 'customer' };
    expect(decidePaymentAttribution(metadata, { ...facts, isCustomerKnown: true })).toEqual(attribution);
  });

  test('a valid click without a customer key: its partner, and no lead, since no customer is named', () => {
    const attribution = { attributed: true, by: 'click', settlesLeadOf: null };
    expect(decidePaymentAttribution({ ...metadata, customerKey: null }, facts)).toEqual(attribution);
  });

  test.each([
    ['no_attribution', { clickId: null, customerKey: null }, 'none'],
    ['unknown_click', metadata, 'unknown'],
    ['unknown_click', { ...metadata, customerKey: null }, 'unknown'],
    ['unknown_customer', { ...metadata, clickId: null }, 'none'],
  ] as const)('not attributed: %s', (reason, given, click) => {
    expect(decidePaymentAttribution(given, { ...facts, click })).toEqual({ attributed: false, reason });
  });
});
