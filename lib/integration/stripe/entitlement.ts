// What a customer may use, decided from what `fulfil` has stored. Change in your app: the statuses that count as entitled.

/**
 * From best to worst. `unpaid`: the subscription continues, but the customer has to pay to use the plan again. `paused`: on request,
 * after a failed payment, or because a trial ended without a payment method. Stripe's `pause_collection` changes no status.
 */
const RANK = ['active', 'trialing', 'past_due', 'incomplete', 'paused', 'unpaid', 'refunded', 'ended'] as const;

/** What a customer may use, and until when. Without `renewsAt` and `endsAt`: forever, or it ended at an unknown time. */
export type Entitlement = {
  /** The plan's name. */
  plan: string;
  status: (typeof RANK)[number];
  /** When the next period begins; null if there is none. */
  renewsAt: Date | null;
  /** When it ends or has ended; null if it does not, or at an unknown time. */
  endsAt: Date | null;
  /** `grant`: from your app, not paid through Stripe. */
  source: 'subscription' | 'purchase' | 'grant';
  /** What a subscription costs per period, if known (`periodAmount`): its price may be older than the plan's. */
  price: { amount: number; currency: string } | null;
};

/** `plan` is `null` for another product of the same Stripe account, which grants nothing here. */
export type Holdings = {
  subscriptions: Array<{
    plan: string | null;
    status: string;
    amount: bigint | null;
    currency: string | null;
    currentPeriodEnd: Date | null;
    cancelAt: Date | null;
  }>;
  purchases: Array<{ plan: string | null; paidAt: Date | null; refundedAt: Date | null }>;
  grants: Entitlement[];
};

/**
 * The customer's entitlements, the best first. Of those that are equally good, purchases come before grants, and grants before
 * subscriptions; of each kind, the order stays.
 */
export function rankEntitlements({ subscriptions, purchases, grants }: Holdings): Entitlement[] {
  const all = [...purchases.map(ofPurchase), ...grants, ...subscriptions.map(ofSubscription)];
  return all.filter((entitlement) => entitlement !== null).sort(compareEntitlements);
}

/**
 * For sorting, best first: below zero if `a` is better. A plan that continues comes before one that will end, even during a free
 * trial: one that does not renew must not hide the plan that the customer pays for next.
 */
export const compareEntitlements = (a: Entitlement, b: Entitlement): number =>
  Number(continues(b)) - Number(continues(a)) || RANK.indexOf(a.status) - RANK.indexOf(b.status);

const continues = ({ status, endsAt }: Entitlement): boolean =>
  (status === 'active' || status === 'trialing') && endsAt === null;

/** Whether the customer may use the plan now, also while a payment is retried. */
export const isEntitled = ({ status }: Pick<Entitlement, 'status'>): boolean =>
  status === 'active' || status === 'trialing' || status === 'past_due';

/**
 * The statuses of a subscription that charges, or can charge again: its customer changes it in the billing portal, and does not buy a
 * second one. `incomplete` is a first payment that has not succeeded yet: the customer must be able to try again.
 */
export const LIVE: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid', 'paused'] satisfies Array<
  Entitlement['status']
>;

/** Whether it is a subscription that charges, or can charge again, even if the customer may not use the plan meanwhile. */
export const isLiveSubscription = ({ source, status }: Pick<Entitlement, 'source' | 'status'>): boolean =>
  source === 'subscription' && LIVE.includes(status);

function ofPurchase({ plan, paidAt, refundedAt }: Holdings['purchases'][number]): Entitlement | null {
  if (!plan || !paidAt) return null; // a refund whose payment has not arrived yet, or was not for a plan
  const status = refundedAt ? 'refunded' : 'active';
  return { plan, status, renewsAt: null, endsAt: refundedAt, source: 'purchase', price: null };
}

function ofSubscription(subscription: Holdings['subscriptions'][number]): Entitlement | null {
  const { plan, amount, currency, currentPeriodEnd, cancelAt } = subscription;
  if (!plan) return null;
  const status = RANK.find((known) => known === subscription.status) ?? 'ended'; // canceled, incomplete_expired
  // It may end later than with its current period: until then it renews.
  const renews = status !== 'ended' && (!cancelAt || (currentPeriodEnd !== null && cancelAt > currentPeriodEnd));
  const renewsAt = renews ? currentPeriodEnd : null;
  const price = amount !== null && currency !== null ? { amount: Number(amount), currency } : null;
  return { plan, status, renewsAt, endsAt: cancelAt, source: 'subscription', price };
}
