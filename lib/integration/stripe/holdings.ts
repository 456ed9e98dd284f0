// Reads what a customer has bought, as stored by `fulfil`, and decides which customer is the user's.
import 'server-only';
import { database } from '@/lib/integration/database';
import { log } from '@/lib/integration/log';
import { isKept, keepCustomer, readCustomer, replaceCustomer } from './customer';
import { compareEntitlements, type Entitlement, type Holdings, isEntitled, rankEntitlements } from './entitlement';

type Options = {
  /** What your app grants the user, besides what was paid through Stripe. */
  grants?: Entitlement[];
  /** Considers only this plan, for example right after its purchase. */
  plan?: string | undefined;
};

/** The user's current entitlement, or `null` if nothing was bought or granted. */
export const findEntitlement = async (userId: string, options: Options = {}): Promise<Entitlement | null> =>
  (await listEntitlements(userId, options))[0] ?? null;

/** The user's entitlements, the best first: a one-time plan does not end a subscription. */
export const listEntitlements = async (userId: string, options: Options = {}): Promise<Entitlement[]> =>
  rankEntitlements(await readHoldings(await readCustomer(userId), options));

/** The current entitlement of a Stripe customer ID, for example an organization's. */
export const findEntitlementOf = async (stripeCustomerId: string, options: Options = {}): Promise<Entitlement | null> =>
  rankEntitlements(await readHoldings(stripeCustomerId, options))[0] ?? null;

/** If several entitlements are equal, the latest counts. */
const LATEST_FIRST = { sort: 'desc', nulls: 'last' } as const;

async function readHoldings(stripeCustomerId: string | null, { grants = [], plan }: Options): Promise<Holdings> {
  const granted = grants.filter((grant) => !plan || grant.plan === plan);
  if (!stripeCustomerId) return { subscriptions: [], purchases: [], grants: granted };
  const where = { stripeCustomerId, ...(plan && { plan }) };
  const [subscriptions, purchases] = await Promise.all([
    database().shopSubscription.findMany({ where, orderBy: { currentPeriodEnd: LATEST_FIRST } }),
    database().shopPurchase.findMany({ where, orderBy: { paidAt: LATEST_FIRST } }),
  ]);
  return { subscriptions, purchases, grants: granted };
}

/**
 * Those of the subscriptions that are stored with a plan. They are this app's, also without `svc_customer_key`: `fulfil` keeps the plan
 * when a price moves to one that plans.ts does not have.
 */
export async function listStored(ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const where = { id: { in: ids }, plan: { not: null } };
  return (await database().shopSubscription.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** The customer's payments for one-time plans, including refunded ones. */
export const listPurchases = (stripeCustomerId: string) =>
  database().shopPurchase.findMany({ where: { stripeCustomerId } });

/**
 * Stores the customer as the user's, unless another one that is stored has the better entitlement: a user has several if checkouts
 * without `customer` created them. The log names both if two of them pay.
 * @returns the one that is stored, or this one if it is another user's and the user has none
 */
export async function keepBestCustomer(userId: string, stripeCustomerId: string): Promise<string> {
  await keepCustomer(userId, stripeCustomerId);
  const stored = (await readCustomer(userId)) ?? stripeCustomerId;
  if (stored === stripeCustomerId || (await isKept(stripeCustomerId))) return stored;
  const [current, other] = await Promise.all([findEntitlementOf(stored), findEntitlementOf(stripeCustomerId)]);
  if (!other) return stored;
  const isBetter = current ? compareEntitlements(current, other) > 0 : isEntitled(other);
  if (current && isEntitled(current) && isEntitled(other)) {
    const [kept, left] = isBetter ? [stripeCustomerId, stored] : [stored, stripeCustomerId];
    log.warn('stripe: a user pays as two customers, and the app shows one', { customer: userId, kept, left });
  }
  if (!isBetter) return stored;
  await replaceCustomer(userId, stripeCustomerId);
  return stripeCustomerId;
}
