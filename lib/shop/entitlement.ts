import 'server-only';
import { readCustomer } from '@/lib/integration/stripe/customer';
import { database } from '@/prisma/client';
import { listTransfers } from './transfers'; // part: demo

/** What a customer may use, and until when. */
export type Entitlement = {
  /** The plan's name. */
  plan: string;
  status: 'active' | 'trialing' | 'past_due' | 'incomplete' | 'refunded' | 'ended';
  /** When it renews or, where `isEnding`, ends. `null`: never. */
  until: Date | null;
  isEnding: boolean;
  source: 'subscription' | 'purchase' | 'transfer';
  /** What a subscription costs for each period, where it is known: its price may be older than the plan's. */
  price: { amount: number; currency: string } | null;
};

/** `plan` is `null` for another product of the same Stripe account, which grants nothing here. */
export type Holdings = {
  subscriptions: Array<{
    plan: string | null;
    status: string;
    amount: number | null;
    currency: string | null;
    currentPeriodEnd: Date | null;
    cancelAt: Date | null;
  }>;
  purchases: Array<{ plan: string | null; paidAt: Date | null; refundedAt: Date | null }>;
  // part: demo
  /** Paid by bank transfer; `until` is `null` for a lifetime plan. */
  transfers: Array<{ plan: string; paidAt: Date | null; until: Date | null }>;
  // end: demo
};

const RANK = ['active', 'trialing', 'past_due', 'incomplete', 'refunded', 'ended'] as const;

/** The customer's best entitlement, or `null`. A lifetime plan comes before a subscription. */
export function decideEntitlement(holdings: Holdings, now: Date): Entitlement | null {
  const all = [
    ...holdings.purchases.map(ofPurchase),
    ...holdings.transfers.map((transfer) => ofTransfer(transfer, now)), // part: demo
    ...holdings.subscriptions.map(ofSubscription),
  ].filter((entitlement) => entitlement !== null);
  return all.sort((a, b) => RANK.indexOf(a.status) - RANK.indexOf(b.status))[0] ?? null;
}

function ofPurchase({ plan, paidAt, refundedAt }: Holdings['purchases'][number]): Entitlement | null {
  if (!plan || !paidAt) return null; // a refund whose payment has not arrived yet, or was no plan
  const status = refundedAt ? 'refunded' : 'active';
  return { plan, status, until: refundedAt, isEnding: refundedAt !== null, source: 'purchase', price: null };
}

// part: demo
function ofTransfer({ plan, paidAt, until }: Holdings['transfers'][number], now: Date): Entitlement | null {
  if (!paidAt) return null;
  const status = until && until <= now ? 'ended' : 'active';
  return { plan, status, until, isEnding: until !== null, source: 'transfer', price: null };
}
// end: demo

function ofSubscription(subscription: Holdings['subscriptions'][number]): Entitlement | null {
  const { plan, amount, currency, currentPeriodEnd, cancelAt } = subscription;
  if (!plan) return null;
  const status = statusOf(subscription.status);
  const isEnding = status === 'ended' || cancelAt !== null;
  const price = amount !== null && currency !== null ? { amount, currency } : null;
  return { plan, status, until: cancelAt ?? currentPeriodEnd, isEnding, source: 'subscription', price };
}

// Stripe's statuses. All others have ended: canceled, unpaid, paused, incomplete_expired.
function statusOf(status: string): Entitlement['status'] {
  switch (status) {
    case 'active':
    case 'trialing':
    case 'past_due':
    case 'incomplete':
      return status;
    default:
      return 'ended';
  }
}

/** The user's current entitlement, or `null` for a user without purchases. */
export async function findEntitlement(userId: string, now: Date): Promise<Entitlement | null> {
  const where = { stripeCustomerId: (await readCustomer(userId)) ?? '' };
  const [subscriptions, purchases, transfers] = await Promise.all([
    database().shopSubscription.findMany({ where }),
    database().shopPurchase.findMany({ where }),
    listTransfers(userId), // part: demo
  ]);
  return decideEntitlement({ subscriptions, purchases, transfers }, now);
}
