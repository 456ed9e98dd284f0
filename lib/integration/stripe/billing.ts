// What a customer is charged for, or would be: finds it, and ends what would be paid twice or by a deleted user.
// Change in your app: when a deleted user's subscription ends, for example with `update(id, { cancel_at_period_end: true })`.
import 'server-only';
import Stripe from 'stripe';
import { publicEnv } from '@/lib/integration/env';
import { log } from '@/lib/integration/log';
import { findPlan } from '@/lib/integration/plans';
import { isMissing, sharedWrite, stripeClient } from './client';
import { findCustomer } from './customer';
import { LIVE } from './entitlement';
import { listStored } from './holdings';
import { hasPlan, unknownPlanOf } from './prices';

/**
 * The customer's subscriptions to plans, newest first, including ended ones and those to a plan that only a newer version has, without
 * other products of the same account. Read from Stripe, because the stored ones wait for a webhook and this may follow a purchase
 * immediately.
 * @param userId also returns those with this user as `svc_customer_key` (contract §2), whatever they are for
 */
export async function listSubscriptions(customer: string, userId?: string): Promise<Stripe.Subscription[]> {
  const list = stripeClient().subscriptions.list({ customer, status: 'all', limit: 100 });
  const all = await list.autoPagingToArray({ limit: 1000 });
  const unknown = all.filter(unknownPlanOf);
  const stored = await listStored(unknown.map(({ id }) => id));
  const isTo = (subscription: Stripe.Subscription) =>
    hasPlan(subscription) ||
    stored.includes(subscription.id) ||
    (unknown.includes(subscription) && 'svc_customer_key' in subscription.metadata);
  return all.filter(
    (subscription) => isTo(subscription) || (userId && subscription.metadata.svc_customer_key === userId),
  );
}

/** Whether a customer has a subscription that charges, or can charge again. */
export const isSubscriber = (subscriptions: Stripe.Subscription[]): boolean =>
  subscriptions.some(({ status }) => LIVE.includes(status));

type SessionFilter = {
  /** Leaves out sessions created later, in seconds. */
  before?: number;
  /** Includes those with this user as `svc_customer_key` (contract §2), whatever they sell. */
  userId?: string;
};

/** Expires the customer's open Checkout sessions for plans, so that a customer who opened two does not pay twice. */
export async function expireSessions(customer: string, { before, userId }: SessionFilter): Promise<void> {
  const { sessions } = stripeClient().checkout;
  for await (const { id, created, metadata } of sessions.list({ customer, status: 'open', limit: 100 })) {
    const isOfUser = userId !== undefined && metadata?.svc_customer_key === userId;
    if ((before !== undefined && created > before) || !(isOfUser || findPlan(metadata?.plan))) continue;
    await unlessRefused(sessions.expire(id, {}, sharedWrite('expire', id)));
  }
}

/**
 * Cancels subscriptions that the customer ordered before this payment and still has to pay, for example from a bank account that is
 * being verified, which takes days. A payment for a one-time plan stays: Stripe cancels none that Checkout has begun.
 */
export async function cancelUnpaid(customer: string, paid: string, before: number): Promise<void> {
  const { subscriptions } = stripeClient();
  for await (const subscription of subscriptions.list({ customer, status: 'incomplete', limit: 100 })) {
    const { id, created } = subscription;
    if (id === paid || created > before || !hasPlan(subscription)) continue;
    await unlessRefused(subscriptions.cancel(id));
  }
}

/** Ignores that Stripe refuses to end what was paid, canceled or has expired since it was listed. */
async function unlessRefused(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}

/**
 * Expires the user's open Checkout sessions and cancels their subscriptions at once. These are the stored customer's to plans, and
 * those that name the user as `svc_customer_key` (contract §2), even if their plan was removed or they are for another product;
 * subscriptions in this program also if they belong to another Stripe customer. Safe to repeat. Refunds nothing.
 * @param paying the Stripe customer, if the stored one may be another
 * @throws if Stripe or the database cannot be reached: respond 503, and Clerk sends `user.deleted` again
 */
export async function endBilling(userId: string, paying?: string): Promise<void> {
  // For a customer deleted in Stripe, Stripe has ended the subscriptions.
  const customer = paying ?? (await findCustomer(userId));
  if (customer) await expireSessions(customer, { userId }); // first, so that the list includes what is paid meanwhile
  const listed = customer ? await listSubscriptions(customer, userId) : [];
  const current = [...listed, ...(await findSubscriptions(userId))].filter((found) => !hasEnded(found));
  for (const id of new Set(current.map(({ id }) => id))) {
    await stripeClient()
      .subscriptions.cancel(id)
      .catch((error: unknown) => {
        if (!isMissing(error)) throw error; // canceled meanwhile: a search can be a minute behind
      });
  }
}

export const hasEnded = ({ status }: Stripe.Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

/**
 * The user's subscriptions of any Stripe customer. Another program's may name a user with the same ID. A search does not have what
 * changed in the last minute, or longer during an incident at Stripe, so those created in the last hour are listed, too.
 */
async function findSubscriptions(userId: string): Promise<Stripe.Subscription[]> {
  const created = { gte: Math.floor(Date.now() / 1000) - 3600 };
  const recent = await stripeClient().subscriptions.list({ created, limit: 100 }).autoPagingToArray({ limit: 1000 });
  const found = [...recent, ...(await searchSubscriptions(userId))];
  const programId = publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID;
  return found.filter(({ metadata }) => metadata.svc_customer_key === userId && metadata.program_id === programId);
}

/** What Stripe's search finds for the user ID, in any case of its letters. */
async function searchSubscriptions(userId: string): Promise<Stripe.Subscription[]> {
  const query = `metadata['svc_customer_key']:'${userId.replace(/['\\]/g, '\\$&')}'`;
  try {
    const list = stripeClient().subscriptions.search({ query, limit: 100 });
    return await list.autoPagingToArray({ limit: 1000 });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // Accounts in India have no search.
    log.warn('end billing: Stripe refused the search', { customer: userId, code: error.code, param: error.param });
    return [];
  }
}
