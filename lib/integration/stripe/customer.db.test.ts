import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isKept, keepCustomer } from './customer';

test('a customer is kept once it is stored for a user, and no other is', async () => {
  const stripeCustomerId = `cus_${randomUUID()}`;
  expect(await isKept(stripeCustomerId)).toBe(false);
  await keepCustomer(randomUUID(), stripeCustomerId);
  expect(await isKept(stripeCustomerId)).toBe(true);
  expect(await isKept(`cus_${randomUUID()}`)).toBe(false);
});
