import { expect, test } from 'vitest';
import { parseCardForm } from './card-form';

const now = Date.UTC(2026, 10, 21) / 1000;
const fields = { email: 'ada@example.com', name: 'Ada', number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' };

test('a complete form comes back with plain digits and a full year', () => {
  expect(parseCardForm(fields, { now, needsCard: true })).toEqual({
    form: { email: 'ada@example.com', name: 'Ada', card: { number: '4242424242424242', expMonth: 12, expYear: 2034 } },
  });
});

test('an expiry without a slash or a leading zero is understood', () => {
  expect(parseCardForm({ ...fields, expiry: '1234' }, { now, needsCard: true })).toMatchObject({
    form: { card: { expMonth: 12, expYear: 2034 } },
  });
  expect(parseCardForm({ ...fields, expiry: '1/30' }, { now, needsCard: true })).toMatchObject({
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
  expect(parseCardForm({ ...fields, ...over }, { now, needsCard: true })).toMatchObject({ problem: { field } });
});

test('a card is good until the end of its month', () => {
  expect(parseCardForm({ ...fields, expiry: '11/26' }, { now, needsCard: true })).toHaveProperty('form');
});

test('where nothing is due and no card is wanted, an e-mail address is enough', () => {
  expect(parseCardForm({ email: 'ada@example.com' }, { now, needsCard: false })).toEqual({
    form: { email: 'ada@example.com', name: '', card: null },
  });
});
