import { expect, test } from 'vitest';
import { parsePaymentForm } from './payment-form';

const options = { now: Date.UTC(2026, 10, 21) / 1000, needsMethod: true, takesDebits: true };
const person = { email: 'ada@example.com', name: '', number: '' };
const account = { account_holder: 'Ada', routing_number: '110000000', account_number: '000123456789' };

test('a bank account is what the person filled in, whichever button the Enter key pressed', () => {
  const expected = {
    form: {
      email: 'ada@example.com',
      name: 'Ada',
      card: null,
      bank: { routingNumber: '110000000', accountNumber: '000123456789' },
    },
  };
  expect(parsePaymentForm({ ...person, ...account }, options)).toEqual(expected);
  expect(parsePaymentForm({ ...person, ...account, method: 'us_bank_account' }, options)).toEqual(expected);
});

test.each([
  ['no holder', { account_holder: ' ' }, 'account_holder'],
  ['a routing number that is too short', { routing_number: '11000' }, 'routing_number'],
  ['an account number with letters', { account_number: 'DE89 3704' }, 'account_number'],
])('%s is a problem of its field', (_name, over, field) => {
  const fields = { ...person, ...account, ...over, method: 'us_bank_account' };
  expect(parsePaymentForm(fields, options)).toMatchObject({ problem: { field } });
});

test('a session that takes no debits asks for a card', () => {
  const fields = { ...person, ...account, method: 'us_bank_account' };
  expect(parsePaymentForm(fields, { ...options, takesDebits: false })).toMatchObject({ problem: { field: 'number' } });
});
