// Ends what a deleted user would still be charged for: without an account they can neither use the plan nor cancel it.
// Change in your app: when a subscription ends, for instance with `update(id, { cancel_at_period_end: true })`.
import 'server-only';
import { listSubscriptions } from './checkout';
import { stripeClient } from './client';
import { findCustomer } from './customer';
import { expireSessions } from './fulfil';

/**
 * Closes the user's open payment pages and cancels their subscriptions at once: those to plans, and those that name the user as
 * `svc_customer_key` (contract §2), whose plan may be gone; not those to other products of the same account. Safe to repeat; a user
 * without a Stripe customer costs no call to Stripe. Refunds nothing.
 * Throws where Stripe or the database cannot be reached: answer 503 then, and Clerk sends `user.deleted` again.
 */
export async function endBilling(userId: string): Promise<void> {
  const customer = await findCustomer(userId); // Stripe has ended the subscriptions of one that was deleted there
  if (!customer) return;
  await expireSessions(customer); // first: what is paid meanwhile is in the list
  for (const { id, status } of await listSubscriptions(customer, userId)) {
    if (status !== 'canceled' && status !== 'incomplete_expired') await stripeClient().subscriptions.cancel(id);
  }
}
