// Ends what a deleted user would still be charged for: without an account, they can neither use nor cancel a plan.
// Change in your app: when a subscription ends, for example with `update(id, { cancel_at_period_end: true })`.
import 'server-only';
import Stripe from 'stripe';
import { publicEnv } from '@/lib/integration/env';
import { log } from '@/lib/integration/log';
import { listSubscriptions } from './checkout';
import { isMissing, stripeClient } from './client';
import { findCustomer } from './customer';
import { expireSessions } from './unpaid';

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
