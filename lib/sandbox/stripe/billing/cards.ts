// Stripe's test cards, as far as this sandbox knows them.

export type PaymentFailure = { code: string; decline_code?: string; message: string };

export type CardCheck =
  | { outcome: 'succeeds'; laterFailure: PaymentFailure | null; needsAuthentication: boolean }
  | { outcome: 'fails'; failure: PaymentFailure };

const DECLINED = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' };

const FAILING: Record<string, PaymentFailure> = {
  '4000000000000002': DECLINED,
  '4000000000009995': {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds. Try a different card.',
  },
  '4000000000000069': { code: 'expired_card', message: 'Your card has expired. Try a different card.' },
  '4000000000000127': { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
};

const NEEDS_AUTHENTICATION = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

type Success = Omit<Extract<CardCheck, { outcome: 'succeeds' }>, 'outcome'>;

const SUCCEEDING: Record<string, Success> = {
  '4242424242424242': { laterFailure: null, needsAuthentication: false },
  '5555555555554444': { laterFailure: null, needsAuthentication: false },
  '4000000000000341': { laterFailure: DECLINED, needsAuthentication: false },
  // 3-D Secure: once, which sets it up for later charges; and each time, which no later charge can answer.
  '4000002500003155': { laterFailure: null, needsAuthentication: true },
  '4000002760003184': { laterFailure: NEEDS_AUTHENTICATION, needsAuthentication: true },
};

/** What a charge of this card comes to: now, and later when its owner is not there. */
export function checkCard(number: string): CardCheck {
  const digits = number.replace(/[\s-]/g, '');
  const success = SUCCEEDING[digits];
  if (success) return { outcome: 'succeeds', ...success };
  const known = FAILING[digits];
  if (known) return { outcome: 'fails', failure: known };
  const message = isCardNumber(digits)
    ? 'The sandbox takes test cards only. Use 4242 4242 4242 4242.'
    : 'Your card number is invalid.';
  return { outcome: 'fails', failure: { code: 'incorrect_number', message } };
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
