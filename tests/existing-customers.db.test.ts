// The statement of docs/integrate.md for an app that has a Stripe customer per user already.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCustomer } from '@/lib/integration/stripe/customer';
import { database } from '@/prisma/client';

const [, statement = ''] = /`(INSERT INTO shop_customers [^`]+)`/.exec(readFileSync('docs/integrate.md', 'utf8')) ?? [];

test('the guide’s statement keeps the Stripe customers that an app has, however often it runs', async () => {
  const [customer, other] = [`user_${randomUUID()}`, `user_${randomUUID()}`];
  const stripeCustomerId = `cus_${randomUUID()}`;
  await database().$transaction(async (tx) => {
    await tx.$executeRaw`CREATE TEMPORARY TABLE "User" ("clerkId" text, "stripeCustomerId" text) ON COMMIT DROP`;
    await tx.$executeRaw`INSERT INTO "User" VALUES (${customer}, ${stripeCustomerId}), (${other}, NULL)`;
    expect(await tx.$executeRawUnsafe(statement)).toBe(1);
    expect(await tx.$executeRawUnsafe(statement)).toBe(0);
  });
  expect(await readCustomer(customer)).toBe(stripeCustomerId);
  expect(await readCustomer(other)).toBeNull();
});
