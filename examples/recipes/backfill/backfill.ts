// Stores what customers paid for before `fulfil` received events, page by page.
import 'server-only';
import type Stripe from 'stripe';
import { log } from '@/lib/integration/log';
import { isErased } from '@/lib/integration/outbox/store';
import { findPlan } from '@/lib/integration/plans';
import { endBilling, hasEnded } from '@/lib/integration/stripe/billing';
import { idOf, stripeClient } from '@/lib/integration/stripe/client';
import { isKept, keepCustomer, readCustomer } from '@/lib/integration/stripe/customer';
import { fulfilSession, refreshRefund, refreshSubscription } from '@/lib/integration/stripe/fulfil';
import { keepBestCustomer } from '@/lib/integration/stripe/holdings';
import { hasPlan } from '@/lib/integration/stripe/prices';

/**
 * Stores subscriptions, and the user each customer belongs to: 50 per call, newest first. If a user has several customers, the one
 * with the best entitlement is kept, and the log names both if another one pays as well. It also names each running subscription whose
 * price is of no plan, or whose user is not found: neither gives its user anything. What a deleted user pays for ends. Safe to re-run.
 * @param findUser returns the user ID for a subscription without `svc_customer_key`, or `null`
 * @param after the ID that the previous call returned
 * @returns the ID to pass to the next call, or `null` at the end
 */
export async function backfillSubscriptions(
  findUser: (subscription: Stripe.Subscription) => Promise<string | null>,
  after: string | null,
): Promise<string | null> {
  const page = { status: 'all', limit: 50, ...(after && { starting_after: after }) } as const;
  const { data, has_more } = await stripeClient().subscriptions.list(page);
  for (const subscription of data) {
    const { id } = subscription;
    if (!hasEnded(subscription) && !hasPlan(subscription))
      log.warn('backfill: a subscription runs without a plan of plans.ts', { subscription: id });
    const userId = subscription.metadata.svc_customer_key ?? (await findUser(subscription));
    await refreshSubscription(id);
    const customer = idOf(subscription.customer);
    if (!userId) {
      const isUnknown = !hasEnded(subscription) && hasPlan(subscription) && !(await isKept(customer));
      if (isUnknown)
        log.warn('backfill: a subscription runs for no known user', { subscription: id, stripe_customer: customer });
      continue;
    }
    await keepBestCustomer(userId, customer);
    if (hasEnded(subscription) || !(await isErased(userId))) continue;
    // Before the customer was stored, `user.deleted` found nothing to end.
    const isOthers = (await readCustomer(userId)) !== customer && (await isKept(customer));
    if (!isOthers) await endBilling(userId, customer);
  }
  return has_more ? (data.at(-1)?.id ?? null) : null;
}

/**
 * Stores one-time plans: 50 Checkout sessions per call, newest first. Safe to re-run. Run it after
 * `backfillSubscriptions`: purchases are assigned to the customer that was kept. Payments without a customer are left out.
 * @param findUser returns the user ID for a session without `svc_customer_key`, or `null`
 * @param after the ID that the previous call returned
 * @returns the ID to pass to the next call, or `null` at the end
 */
export async function backfillPurchases(
  findUser: (session: Stripe.Checkout.Session) => Promise<string | null>,
  after: string | null,
): Promise<string | null> {
  const page = { status: 'complete', limit: 50, ...(after && { starting_after: after }) } as const;
  const { data, has_more } = await stripeClient().checkout.sessions.list(page);
  for (const session of data) {
    if (session.mode !== 'payment' || !session.customer || !findPlan(session.metadata?.plan)) continue;
    const userId = session.metadata?.svc_customer_key ?? (await findUser(session));
    const paying = idOf(session.customer);
    if (userId) await keepCustomer(userId, paying);
    else if (!(await isKept(paying)))
      log.warn('backfill: a purchase belongs to no known user', { session: session.id });
    const customer = (userId && (await readCustomer(userId))) || paying;
    await fulfilSession({ ...session, customer }, session.created);
    await refreshRefund(session.payment_intent);
  }
  return has_more ? (data.at(-1)?.id ?? null) : null;
}
