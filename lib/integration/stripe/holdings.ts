// What a customer has bought, as `fulfil` has stored it. Change in your app: nothing.
import 'server-only';
import { database } from '@/lib/integration/database';
import { readCustomer } from './customer';
import { decideEntitlement, type Entitlement } from './entitlement';

/** Of equal entitlements the first counts. */
const LATEST_FIRST = { sort: 'desc', nulls: 'last' } as const;

/**
 * The user's current entitlement, or `null` for a user without purchases.
 * @param others what your app grants the user beside Stripe's payments
 * @param plan considers this plan only, as after its purchase
 */
export async function findEntitlement(
  userId: string,
  others: Entitlement[] = [],
  plan?: string,
): Promise<Entitlement | null> {
  const customer = await readCustomer(userId);
  if (!customer) return decideEntitlement({ subscriptions: [], purchases: [], others });
  return findEntitlementOf(customer, others, plan);
}

/** The same for a Stripe customer ID, for example an organization's. */
export async function findEntitlementOf(
  stripeCustomerId: string,
  others: Entitlement[] = [],
  plan?: string,
): Promise<Entitlement | null> {
  const where = { stripeCustomerId, ...(plan && { plan }) };
  const [subscriptions, purchases] = await Promise.all([
    database().shopSubscription.findMany({ where, orderBy: { currentPeriodEnd: LATEST_FIRST } }),
    database().shopPurchase.findMany({ where, orderBy: { paidAt: LATEST_FIRST } }),
  ]);
  return decideEntitlement({ subscriptions, purchases, others });
}

/** The customer's payments for plans that are paid once, refunded ones included. */
export const listPurchases = (stripeCustomerId: string) =>
  database().shopPurchase.findMany({ where: { stripeCustomerId } });
