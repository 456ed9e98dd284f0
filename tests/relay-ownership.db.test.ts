// The relay asks the app's own table which of a shared account's customers are this app's.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { isStoredCustomer } from '@/scripts/relay/ownership';

test('a Stripe customer is this app’s once it is stored, and no other is', async () => {
  const stripeCustomerId = `cus_${randomUUID()}`;
  expect(await isStoredCustomer(stripeCustomerId)).toBe(false);
  await database().shopCustomer.create({ data: { userId: randomUUID(), stripeCustomerId } });
  expect(await isStoredCustomer(stripeCustomerId)).toBe(true);
  expect(await isStoredCustomer(`cus_${randomUUID()}`)).toBe(false);
});
