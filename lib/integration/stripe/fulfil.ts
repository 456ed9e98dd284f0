// Keeps what customers have paid for, from Stripe's events in any order and any number of times.
// Change in your app: what you store. Keep the two ways in which order stops mattering: ask Stripe, or write own columns.
import 'server-only';
import type Stripe from 'stripe';
import { database } from '@/prisma/client';
import { stripeClient } from './stripe-client';

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
 * Stores the subscription as Stripe has it now, whatever the event said. Of two answers at once the one that was asked for
 * later wins: it was asked for after every change that either of them can show.
 */
async function refreshSubscription(id: string): Promise<void> {
  const [drawn] = await database().$queryRaw<[{ ticket: bigint }]>`SELECT nextval('shop_tickets') AS ticket`;
  const subscription = await stripeClient().subscriptions.retrieve(id);
  const item = subscription.items.data[0];
  const cancelAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item?.current_period_end : null);
  await database().$executeRaw`
    INSERT INTO shop_subscriptions (id, stripe_customer_id, plan, status, current_period_end, cancel_at, ticket)
    VALUES (${id}, ${idOf(subscription.customer)}, ${item?.price.lookup_key}, ${subscription.status},
      ${dateOf(item?.current_period_end)}::timestamp, ${dateOf(cancelAt)}::timestamp, ${drawn.ticket})
    ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, status = excluded.status, ticket = excluded.ticket,
      current_period_end = excluded.current_period_end, cancel_at = excluded.cancel_at
    WHERE shop_subscriptions.ticket < excluded.ticket`;
}

const idOf = (reference: string | { id: string }) => (typeof reference === 'string' ? reference : reference.id);
const dateOf = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
