import 'server-only';
import { database } from '@/prisma/client';
import { stripeClient } from './stripe-client';

export type Buyer = { userId: string; email: string | undefined };

/** The user's Stripe customer: the same one at every checkout, so that one person has one billing history. */
export async function findOrCreateCustomer({ userId, email }: Buyer): Promise<string> {
  const known = await findCustomer(userId);
  if (known) return known;
  const created = await stripeClient().customers.create({ ...(email && { email }), metadata: { user_id: userId } });
  // Two first checkouts at once: the primary key keeps one of the two customers, and both go on with that one.
  await database().shopCustomer.createMany({ data: { userId, stripeCustomerId: created.id }, skipDuplicates: true });
  return (await findCustomer(userId)) ?? created.id;
}

/** The user's Stripe customer ID, or `null` before the first checkout. */
export async function findCustomer(userId: string): Promise<string | null> {
  const row = await database().shopCustomer.findUnique({ where: { userId } });
  return row?.stripeCustomerId ?? null;
}
