import { expect, test } from 'vitest';
import { parseCardForm, parsePaymentForm, typedIn, typedOf } from './forms';

const now = Date.UTC(2026, 10, 21) / 1000;
const options = { now, needsMethod: true, takesDebits: true };
const fields = { email: 'ada@example.com', name: 'Ada', number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' };

test('a complete form is parsed into plain digits and a full year', () => {
  expect(parseCardForm(fields, now)).toEqual({
    form: { email: 'ada@example.com', name: 'Ada', card: { number: '4242424242424242', expMonth: 12, expYear: 2034 } },
  });
});

test('an expiry may have no slash and no leading zero', () => {
  expect(parseCardForm({ ...fields, expiry: '1234' }, now)).toMatchObject({
    form: { card: { expMonth: 12, expYear: 2034 } },
  });
  expect(parseCardForm({ ...fields, expiry: '1/30' }, now)).toMatchObject({
    form: { card: { expMonth: 1, expYear: 2030 } },
  });
});

test.each([
  ['email', { email: 'ada' }],
  ['number', { number: '' }],
  ['expiry', { expiry: '13/30' }],
  ['expiry', { expiry: '10/26' }],
  ['cvc', { cvc: '12' }],
  ['name', { name: ' ' }],
])('a wrong %s is named', (field, over) => {
  expect(parseCardForm({ ...fields, ...over }, now)).toMatchObject({ problem: { field } });
});

test('an address is an email address where Stripe takes it as one', () => {
  expect(parseCardForm({ ...fields, email: 'a..b@docomo.ne.jp' }, now)).toHaveProperty('form');
  for (const email of [undefined, '', 'zoë@example.com']) {
    expect(parseCardForm({ ...fields, email }, now)).toMatchObject({
      problem: { field: 'email', message: 'Enter your email address, for instance ada@example.com.' },
    });
  }
});

test('a card is good until the end of its month', () => {
  expect(parseCardForm({ ...fields, expiry: '11/26' }, now)).toHaveProperty('form');
});

test('where nothing is due and no card is needed, an email address is enough', () => {
  expect(parsePaymentForm({ email: 'ada@example.com' }, { ...options, needsMethod: false })).toEqual({
    form: { email: 'ada@example.com', name: '', card: null },
  });
});

const person = { email: 'ada@example.com', name: '', number: '' };
const account = { account_holder: 'Ada', routing_number: '110000000', account_number: '000123456789' };

test('a filled-in bank account counts, whichever button the Enter key pressed', () => {
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

test('a country is two capital letters, or left out', () => {
  const parse = (country: string) => parsePaymentForm({ ...fields, country }, options);
  expect(parse('DE')).toMatchObject({ form: { country: 'DE' } });
  expect(parse('')).toMatchObject({ form: { country: undefined } });
  expect(parse('Germany')).toMatchObject({ problem: { field: 'country' } });
});

test('what was typed is shown again, except the security code', () => {
  const { form } = { form: null, ...parseCardForm(fields, now) };
  expect(form && typedOf(form)).toEqual({
    email: 'ada@example.com',
    name: 'Ada',
    number: '4242424242424242',
    expiry: '12 / 34',
  });
  expect(typedIn({ ...fields, cvc: '1' })).not.toHaveProperty('cvc');
});
