// Ends what a deleted user would still be charged for: without an account, they can neither use nor cancel a plan.
// Change in your app: when a subscription ends, for example with `update(id, { cancel_at_period_end: true })`.
import 'server-only';
import { listSubscriptions } from './checkout';
import { stripeClient } from './client';
import { findCustomer } from './customer';
import { expireSessions } from './fulfil';

/**
 * Expires the user's open Checkout sessions and cancels their subscriptions at once: those to plans, and those with the user as
 * `svc_customer_key` (contract §2), whose plan may have been removed; not those to other products of the same account. Safe to
 * repeat. Refunds nothing.
 * @throws if Stripe or the database cannot be reached: respond 503, and Clerk sends `user.deleted` again
 */
export async function endBilling(userId: string): Promise<void> {
  const customer = await findCustomer(userId); // for a customer deleted in Stripe, Stripe has ended the subscriptions
  if (!customer) return;
  await expireSessions(customer); // first, so that the list includes what is paid meanwhile
  for (const { id, status } of await listSubscriptions(customer, userId)) {
    if (status !== 'canceled' && status !== 'incomplete_expired') await stripeClient().subscriptions.cancel(id);
  }
}
