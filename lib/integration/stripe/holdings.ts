// Reads what a customer has bought, as stored by `fulfil`. Change in your app: nothing.
import 'server-only';
import { database } from '@/lib/integration/database';
import { readCustomer } from './customer';
import { decideEntitlement, type Entitlement } from './entitlement';

type Options = {
  /** What your app grants the user, besides what was paid through Stripe. */
  grants?: Entitlement[];
  /** Considers only this plan, for example right after its purchase. */
  plan?: string | undefined;
};

/** The user's current entitlement, or `null` for a user without purchases. */
export async function findEntitlement(userId: string, options: Options = {}): Promise<Entitlement | null> {
  const customer = await readCustomer(userId);
  if (customer) return findEntitlementOf(customer, options);
  return decideEntitlement({ subscriptions: [], purchases: [], grants: options.grants ?? [] });
}

/** If several entitlements are equal, the latest counts. */
const LATEST_FIRST = { sort: 'desc', nulls: 'last' } as const;

/** The same for a Stripe customer ID, for example an organization's. */
export async function findEntitlementOf(
  stripeCustomerId: string,
  { grants = [], plan }: Options = {},
): Promise<Entitlement | null> {
  const where = { stripeCustomerId, ...(plan && { plan }) };
  const [subscriptions, purchases] = await Promise.all([
    database().shopSubscription.findMany({ where, orderBy: { currentPeriodEnd: LATEST_FIRST } }),
    database().shopPurchase.findMany({ where, orderBy: { paidAt: LATEST_FIRST } }),
  ]);
  return decideEntitlement({ subscriptions, purchases, grants });
}

/** The customer's payments for plans that are paid once, including refunded ones. */
export const listPurchases = (stripeCustomerId: string) =>
  database().shopPurchase.findMany({ where: { stripeCustomerId } });
