// Stripe's test cards and test bank accounts, to the extent that this emulator covers them.
// docs.stripe.com/testing, docs.stripe.com/payments/ach-direct-debit/accept-a-payment#test-account-numbers

export type PaymentFailure = { code: string; decline_code?: string; message: string };

/** How a card or bank account behaves. */
export type Behavior = {
  /** Why a charge fails while the customer is there; null if it succeeds. */
  failure: PaymentFailure | null;
  /** Why it fails later: at a renewal, or when the bank processes a debit. */
  laterFailure: PaymentFailure | null;
  /** 3-D Secure: the customer has to confirm the payment with their bank. */
  needsAuthentication: boolean;
  /** Confirmed once and kept by a customer, it is charged later without them. */
  canBeSetUp: boolean;
  /** The customer disputes each payment at once. */
  isDisputed: boolean;
  /** The bank refuses refunds a day later. */
  refusesRefunds: boolean;
};

const GOOD: Behavior = {
  failure: null,
  laterFailure: null,
  needsAuthentication: false,
  canBeSetUp: false,
  isDisputed: false,
  refusesRefunds: false,
};

const DECLINED = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' };
const INSUFFICIENT_FUNDS = {
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds. Try a different card.',
};
const EXPIRED = { code: 'expired_card', message: 'Your card has expired. Try a different card.' };
const INCORRECT_CVC = { code: 'incorrect_cvc', message: "Your card's security code is incorrect." };
const AUTHENTICATION_REQUIRED = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

const failing = (failure: PaymentFailure): Behavior => ({ ...GOOD, failure, laterFailure: failure });

export const CARDS: Record<string, Behavior> = {
  '4242424242424242': GOOD,
  '5555555555554444': GOOD,
  '4000000000000341': { ...GOOD, laterFailure: DECLINED },
  // 3-D Secure: once, which sets the card up for later charges; or each time, so that a later charge waits for the customer.
  '4000002500003155': {
    ...GOOD,
    needsAuthentication: true,
    laterFailure: AUTHENTICATION_REQUIRED,
    canBeSetUp: true,
  },
  '4000002760003184': { ...GOOD, needsAuthentication: true, laterFailure: AUTHENTICATION_REQUIRED },
  '4000000000000259': { ...GOOD, isDisputed: true },
  '4000000000005126': { ...GOOD, refusesRefunds: true },
  '4000000000000002': failing(DECLINED),
  '4000000000009995': failing(INSUFFICIENT_FUNDS),
  '4000000000000069': failing(EXPIRED),
  '4000000000000127': failing(INCORRECT_CVC),
};

/** What the pages list: a number as it is on the card, and what it does. */
export const LISTED_CARDS = [
  ['4242 4242 4242 4242', 'succeeds'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0000 0000 0341', 'succeeds now and fails at the next renewal'],
  ['4000 0025 0000 3155', 'requires 3-D Secure on the first payment'],
  ['4000 0027 6000 3184', 'requires 3-D Secure on every payment, so the next renewal waits for it'],
  ['4000 0000 0000 0259', 'succeeds and is disputed'],
  ['4000 0000 0000 5126', 'succeeds, and its refund fails'],
] as const;

/** Stripe's ready-made payment methods and tokens, by the card behind them. */
const CARD_BY_NAME: Record<string, string> = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  chargeCustomerFail: '4000000000000341',
  authenticationRequiredOnSetup: '4000002500003155',
  authenticationRequired: '4000002760003184',
  createDispute: '4000000000000259',
  refundFail: '4000000000005126',
  chargeDeclined: '4000000000000002',
  visa_chargeDeclined: '4000000000000002',
  chargeDeclinedInsufficientFunds: '4000000000009995',
  visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  chargeDeclinedExpiredCard: '4000000000000069',
  visa_chargeDeclinedExpiredCard: '4000000000000069',
  chargeDeclinedIncorrectCvc: '4000000000000127',
  visa_chargeDeclinedIncorrectCvc: '4000000000000127',
};

/** The number behind `pm_card_visa` or `tok_visa`; null for any other ID. */
export function namedCard(id: string): string | null {
  const name = /^(?:pm_card|tok)_(.+)$/.exec(id)?.[1];
  return (name && CARD_BY_NAME[name]) || null;
}

/** How a card behaves. A number that is not a test card fails. */
export function checkCard(number: string): Behavior {
  const digits = number.replace(/[\s-]/g, '');
  const known = CARDS[digits];
  if (known) return known;
  const message = isCardNumber(digits)
    ? 'The Stripe emulator accepts test cards only. Use 4242 4242 4242 4242.'
    : 'Your card number is invalid.';
  return failing({ code: 'incorrect_number', message });
}

/** Luhn's check digit. */
function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** How a method behaves once its customer has confirmed a payment and keeps it for later ones. */
export const setUp = (behavior: Behavior): Behavior =>
  behavior.canBeSetUp ? { ...behavior, laterFailure: null } : behavior;

export type BankAccount = { routingNumber: string; accountNumber: string };

export const TEST_ROUTING_NUMBER = '110000000';
export const TEST_ACCOUNT_NUMBER = '000123456789';

export const LATER_FAILURES: Record<string, PaymentFailure> = {
  '000111111113': { code: 'account_closed', message: "The customer's bank account has been closed." },
  '000111111116': { code: 'no_account', message: "The customer's bank account could not be located." },
  '000222222227': { code: 'insufficient_funds', message: "The customer's account has insufficient funds." },
  '000333333335': { code: 'debit_not_authorized', message: 'The customer has notified their bank of the debit.' },
};

/** How a bank account behaves. The bank decides about a debit days later. */
export function checkBankAccount({ routingNumber, accountNumber }: BankAccount): Behavior {
  const laterFailure = accountNumber === TEST_ACCOUNT_NUMBER ? null : LATER_FAILURES[accountNumber];
  if (routingNumber === TEST_ROUTING_NUMBER && laterFailure !== undefined) return { ...GOOD, laterFailure };
  const message = `The Stripe emulator accepts test accounts only. Use ${TEST_ROUTING_NUMBER} and ${TEST_ACCOUNT_NUMBER}.`;
  return failing({ code: 'account_number_invalid', message });
}
