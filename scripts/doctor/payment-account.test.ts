import { describe, expect, test } from 'vitest';
import { describePaymentAccount } from './payment-account';

describe('the payment account of the program', () => {
  test.each([
    [{ paymentMode: 'test' }, 'test', 'ok'],
    [{ paymentMode: 'test' }, 'live', 'blocker'],
    [{ paymentMode: 'live' }, 'test', 'blocker'],
    [{ paymentMode: null }, 'test', 'blocker'],
    [null, 'test', 'blocker'],
  ] as const)('%o with a key of %s mode: %s', (program, mode, state) => {
    expect(describePaymentAccount('prg_1', program, mode)[0]?.state).toBe(state);
  });
});
