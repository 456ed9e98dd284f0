import 'server-only';
import { decideEntitlement, type Entitlement } from '@/lib/integration/domain/decide-entitlement';
import { findCustomer } from '@/lib/integration/stripe/customers';
import { database } from '@/prisma/client';
import { listTransfers } from './transfers';

/** What the user may use now, or `null` for somebody who never bought anything. */
export async function findEntitlement(userId: string, now: Date): Promise<Entitlement | null> {
  const [stripeCustomerId, transfers] = await Promise.all([findCustomer(userId), listTransfers(userId)]);
  const where = { stripeCustomerId: stripeCustomerId ?? '' };
  const [subscriptions, purchases] = await Promise.all([
    database().shopSubscription.findMany({ where }),
    database().shopPurchase.findMany({ where }),
  ]);
  return decideEntitlement({ subscriptions, purchases, transfers }, now);
}
