// What a user has bought, as `fulfil` has stored it. Change in your app: nothing.
import 'server-only';
import { database } from '@/lib/integration/database';
import { readCustomer } from './customer';
import { decideEntitlement, type Entitlement } from './entitlement';

/**
 * The user's current entitlement, or `null` for a user without purchases.
 * @param others what your app grants the user beside Stripe's payments
 */
export async function findEntitlement(userId: string, others: Entitlement[] = []): Promise<Entitlement | null> {
  const where = { stripeCustomerId: (await readCustomer(userId)) ?? '' };
  const [subscriptions, purchases] = await Promise.all([
    database().shopSubscription.findMany({ where }),
    database().shopPurchase.findMany({ where }),
  ]);
  return decideEntitlement({ subscriptions, purchases, others });
}
