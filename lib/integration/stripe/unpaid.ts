// Ends what a customer has begun to pay for, so that no customer pays twice.
import 'server-only';
import Stripe from 'stripe';
import { findPlan } from '@/lib/integration/plans';
import { sharedWrite, stripeClient } from './client';
import { hasPlan } from './prices';

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

/** What was paid, canceled or has expired since it was listed, Stripe refuses to end. */
async function unlessRefused(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}
