// Stripe's test bank accounts for ACH Direct Debit, as far as this sandbox knows them.
// docs.stripe.com/payments/ach-direct-debit/accept-a-payment#test-account-numbers
import type { PaymentFailure } from './cards';

const TEST_ROUTING_NUMBER = '110000000';
const SUCCEEDING = '000123456789';

const FAILING_LATER: Record<string, PaymentFailure> = {
  '000111111113': { code: 'account_closed', message: "The customer's bank account has been closed." },
  '000111111116': { code: 'no_account', message: "The customer's bank account could not be located." },
  '000222222227': { code: 'insufficient_funds', message: "The customer's account has insufficient funds." },
  '000333333335': { code: 'debit_not_authorized', message: 'The customer has notified their bank of the debit.' },
};

export type BankAccount = { routingNumber: string; accountNumber: string };
export type BankCheck = { isKnown: true; laterFailure: PaymentFailure | null } | { isKnown: false; message: string };

/** What a debit of this account comes to: the bank says so days later. */
export function checkBankAccount({ routingNumber, accountNumber }: BankAccount): BankCheck {
  const laterFailure = accountNumber === SUCCEEDING ? null : FAILING_LATER[accountNumber];
  if (routingNumber !== TEST_ROUTING_NUMBER || laterFailure === undefined) {
    const message = `The sandbox takes test accounts only. Use ${TEST_ROUTING_NUMBER} and ${SUCCEEDING}.`;
    return { isKnown: false, message };
  }
  return { isKnown: true, laterFailure };
}
