import { expect, test } from 'vitest';
import { checkCard } from './cards';

test('4242 succeeds, with or without spaces', () => {
  const success = { outcome: 'succeeds', laterFailure: null, needsAuthentication: false };
  expect(checkCard('4242 4242 4242 4242')).toEqual(success);
  expect(checkCard('4242424242424242')).toEqual(success);
});

test('the card that ends in 0341 succeeds now and fails later', () => {
  const check = checkCard('4000000000000341');
  expect(check).toMatchObject({ outcome: 'succeeds', laterFailure: { code: 'card_declined' } });
});

test('a card with 3-D Secure asks once, or each time, which a renewal cannot answer', () => {
  expect(checkCard('4000002500003155')).toMatchObject({ needsAuthentication: true, laterFailure: null });
  const each = checkCard('4000002760003184');
  expect(each).toMatchObject({ needsAuthentication: true, laterFailure: { code: 'authentication_required' } });
});

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
])('%s is declined', (number, code, decline_code) => {
  expect(checkCard(number)).toMatchObject({ outcome: 'fails', failure: { code, decline_code } });
});

test('a number that is no card and a card that is no test card say so', () => {
  expect(checkCard('1234')).toMatchObject({ failure: { message: 'Your card number is invalid.' } });
  expect(checkCard('4111111111111111')).toMatchObject({ failure: { message: expect.stringContaining('test cards') } });
});
