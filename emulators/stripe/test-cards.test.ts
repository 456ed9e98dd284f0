import { expect, test } from 'vitest';
import { CARDS, checkBankAccount, checkCard, LISTED_CARDS, namedCard, setUp } from './test-cards';

test('4242 succeeds, with or without spaces', () => {
  const good = { failure: null, laterFailure: null, needsAuthentication: false, isDisputed: false };
  expect(checkCard('4242 4242 4242 4242')).toMatchObject(good);
  expect(checkCard('4242424242424242')).toMatchObject(good);
});

test('the card that ends in 0341 succeeds now and fails later', () => {
  expect(checkCard('4000000000000341')).toMatchObject({ failure: null, laterFailure: { code: 'card_declined' } });
});

test('a card requires 3-D Secure until it is set up, or on every payment, renewals too', () => {
  const required = { needsAuthentication: true, laterFailure: { code: 'authentication_required' } };
  const [once, each] = [checkCard('4000002500003155'), checkCard('4000002760003184')];
  expect(once).toMatchObject(required);
  expect(setUp(once)).toMatchObject({ laterFailure: null });
  expect(each).toMatchObject(required);
  expect(setUp(each)).toMatchObject(required);
});

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
])('%s is declined', (number, code, decline_code) => {
  expect(checkCard(number)).toMatchObject({ failure: { code, decline_code } });
});

test('a wrong number and a card that is not a test card are refused with a reason', () => {
  expect(checkCard('1234')).toMatchObject({ failure: { message: 'Your card number is invalid.' } });
  expect(checkCard('4111111111111111')).toMatchObject({ failure: { message: expect.stringContaining('test cards') } });
});

test('a bank account that is not a test account is refused, and a closed one fails later', () => {
  const routingNumber = '110000000';
  expect(checkBankAccount({ routingNumber, accountNumber: '1234' }).failure).not.toBeNull();
  expect(checkBankAccount({ routingNumber, accountNumber: '000111111113' })).toMatchObject({
    failure: null,
    laterFailure: { code: 'account_closed' },
  });
});

test('ready-made payment methods map to test cards, other IDs do not', () => {
  expect(namedCard('pm_card_visa')).toBe('4242424242424242');
  expect(namedCard('tok_visa')).toBe('4242424242424242');
  expect(namedCard('pm_1234')).toBeNull();
  expect(namedCard('pm_card_unknown')).toBeNull();
});

test('the pages list cards that are test cards', () => {
  for (const [number] of LISTED_CARDS) expect(CARDS).toHaveProperty(number.replaceAll(' ', ''));
});
