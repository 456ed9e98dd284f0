// Ends what a customer has begun to pay for, so that no customer pays twice. Change in your app: nothing.
import 'server-only';
import Stripe from 'stripe';
import { findPlan } from '@/lib/integration/plans';
import { idOf, sharedWrite, stripeClient } from './client';
import { planOf } from './prices';

/**
 * Expires the customer's open Checkout sessions for plans, so that a customer who opened two does not pay twice.
 * @param before leaves out sessions created later, in seconds; without it, all are expired
 */
export async function expireSessions(customer: string, before = Number.POSITIVE_INFINITY): Promise<void> {
  const { sessions } = stripeClient().checkout;
  for await (const { id, created, metadata } of sessions.list({ customer, status: 'open', limit: 100 })) {
    if (created > before || !findPlan(metadata?.plan)) continue;
    await unlessRefused(sessions.expire(id, {}, sharedWrite('expire', id)));
  }
}

/**
 * Cancels what else the customer ordered instead of what a session has paid for, and still has to pay: by a voucher, by a bank
 * transfer, or from a bank account that is being verified, which takes days.
 */
export async function cancelUnpaid(customer: string, paid: Stripe.Checkout.Session): Promise<void> {
  const { subscriptions, paymentIntents } = stripeClient();
  if (!paid.subscription) {
    for await (const { id, status } of listPayments(customer, paid.metadata?.plan)) {
      if (status === 'requires_action') await unlessRefused(paymentIntents.cancel(id));
    }
    return;
  }
  for await (const { id, items } of subscriptions.list({ customer, status: 'incomplete', limit: 100 })) {
    if (id === idOf(paid.subscription) || !items.data.some(({ price }) => planOf(price))) continue;
    await unlessRefused(subscriptions.cancel(id));
  }
}

/** The payments that the customer's completed sessions for a plan began, newest first. A plan that is free has none. */
export async function* listPayments(customer: string, plan: string | undefined): AsyncGenerator<Stripe.PaymentIntent> {
  const params: Stripe.Checkout.SessionListParams = { customer, status: 'complete', expand: ['data.payment_intent'] };
  for await (const session of stripeClient().checkout.sessions.list({ ...params, limit: 100 })) {
    const { metadata, payment_intent: payment } = session;
    if (metadata?.plan === plan && payment && typeof payment === 'object') yield payment;
  }
}

/** What was paid, canceled or has expired since it was listed, Stripe refuses to end. */
async function unlessRefused(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}
