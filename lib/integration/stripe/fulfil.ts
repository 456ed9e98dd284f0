// Stores what customers have paid for, from Stripe's events in any order and any number of times.
// Change in your app: what you store. Keep the two ways in which order stops mattering: ask Stripe, or write separate columns.
import 'server-only';
import type Stripe from 'stripe';
import { database } from '@/prisma/client';
import { stripeClient } from './client';

/** Throws where Stripe or the database cannot be reached: answer 5xx then, and Stripe sends the event again for three days. */
export async function fulfil(event: Stripe.Event): Promise<void> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return fulfilSession(event.data.object, event.created);
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return refreshSubscription(event.data.object.id);
    case 'charge.refunded':
      return recordRefund(event.data.object, event.created);
  }
}

async function fulfilSession(session: Stripe.Checkout.Session, created: number): Promise<void> {
  if (session.subscription) return refreshSubscription(idOf(session.subscription));
  // A bank debit completes the session before it is paid; async_payment_succeeded follows.
  if (session.payment_status !== 'paid' || !session.customer) return;
  // Where a promotion code covers the whole price, there is no PaymentIntent.
  const paymentIntentId = session.payment_intent ? idOf(session.payment_intent) : session.id;
  const purchase = { plan: session.metadata?.plan ?? null, paidAt: new Date(created * 1000) };
  await database().shopPurchase.upsert({
    where: { paymentIntentId },
    create: { paymentIntentId, stripeCustomerId: idOf(session.customer), ...purchase },
    update: purchase,
  });
}

async function recordRefund(charge: Stripe.Charge, created: number): Promise<void> {
  // `refunded` is true once the whole charge is; after a partial refund the plan stays.
  if (!charge.refunded || !charge.payment_intent || !charge.customer) return;
  const paymentIntentId = idOf(charge.payment_intent);
  const refundedAt = new Date(created * 1000);
  await database().shopPurchase.upsert({
    where: { paymentIntentId },
    create: { paymentIntentId, stripeCustomerId: idOf(charge.customer), refundedAt },
    update: { refundedAt },
  });
}

/**
 * Stores the subscription as Stripe has it now, whatever the event said. Of two concurrent reads the later request wins: it saw
 * every change the earlier one saw.
 */
async function refreshSubscription(id: string): Promise<void> {
  const token = await drawFencingToken(id); // before Stripe is asked
  const subscription = await stripeClient().subscriptions.retrieve(id);
  const item = subscription.items.data[0];
  const cancelAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item?.current_period_end : null);
  await database().$executeRaw`
    INSERT INTO shop_subscriptions (id, stripe_customer_id, plan, status, current_period_end, cancel_at, fencing_token)
    VALUES (${id}, ${idOf(subscription.customer)}, ${item?.price.lookup_key}, ${subscription.status},
      ${dateOf(item?.current_period_end)}::timestamp, ${dateOf(cancelAt)}::timestamp, ${token})
    ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, status = excluded.status, fencing_token = excluded.fencing_token,
      current_period_end = excluded.current_period_end, cancel_at = excluded.cancel_at
    WHERE shop_subscriptions.fencing_token < excluded.fencing_token`;
}

/** The next number for this subscription; concurrent handlers never get the same one. */
async function drawFencingToken(subscriptionId: string): Promise<bigint> {
  const { last } = await database().shopFencingToken.upsert({
    where: { subscriptionId },
    create: { subscriptionId, last: 1 },
    update: { last: { increment: 1 } },
  });
  return last;
}

const idOf = (reference: string | { id: string }) => (typeof reference === 'string' ? reference : reference.id);
const dateOf = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
