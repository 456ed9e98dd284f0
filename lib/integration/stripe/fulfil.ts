// Stores what customers have paid for, from Stripe's events in any order and any number of times.
// Change in your app: what you store. Keep the two ways in which order stops mattering: ask Stripe, or write separate columns.
import 'server-only';
import Stripe from 'stripe';
import { database } from '@/lib/integration/database';
import { log } from '@/lib/integration/log';
import { findPlan } from '@/lib/integration/plans';
import { idempotencyKey, stripeClient } from './client';
import { readCustomer } from './customer';
import { compareEntitlements } from './entitlement';
import { findEntitlementOf } from './holdings';
import { planOf } from './prices';

/**
 * Throws where Stripe or the database cannot be reached, and for money for an unknown plan: answer 5xx then, and Stripe sends the
 * event again for three days.
 */
export async function fulfil(event: Stripe.Event): Promise<void> {
  if (event.account) return; // from a connected account: not a sale of this app
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return fulfilSession(event.data.object, event.created);
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.deleted':
      return refreshSubscription(event.data.object.id);
    case 'charge.refunded':
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return refreshRefund(event.data.object.payment_intent, event.created);
  }
}

async function fulfilSession(session: Stripe.Checkout.Session, created: number): Promise<void> {
  const { plan: name, svc_customer_key: userId } = session.metadata ?? {}; // contract §2: the user's ID, as at sign-up
  if (!name || !session.customer) return; // another product of the same account
  const stripeCustomerId = idOf(session.customer);
  const plan = findPlan(name);
  if (!plan) return refuseUnknownPlan(session.id, name, userId, stripeCustomerId);
  // The row is there since before the checkout, except where the database was restored to an earlier moment.
  if (userId) await keepCustomer(userId, stripeCustomerId);
  if (session.subscription) await refreshSubscription(idOf(session.subscription));
  // A bank debit completes the session before it is paid; async_payment_succeeded follows.
  else if (session.payment_status !== 'unpaid') {
    // Where a promotion code covers the whole price, no payment is required, and there is no PaymentIntent.
    const paymentIntentId = session.payment_intent ? idOf(session.payment_intent) : session.id;
    const purchase = { plan: plan.name, paidAt: dateOf(created) };
    await database().shopPurchase.upsert({
      where: { paymentIntentId },
      create: { paymentIntentId, stripeCustomerId, ...purchase },
      update: purchase, // the customer may have been replaced since
    });
  }
  await expireSessions(stripeCustomerId, created); // the completed session itself is no longer open
}

/** A plan that was renamed or removed while a customer of this app bought it; another app of the same account has its own customers. */
async function refuseUnknownPlan(
  session: string,
  plan: string,
  userId: string | undefined,
  customer: string,
): Promise<void> {
  if (!userId || (await readCustomer(userId)) !== customer) return;
  log.error('fulfil: a user has bought a plan that is not in plans.ts', { session, plan });
  throw new Error(`Checkout session ${session} is for an unknown plan.`); // Stripe sends it again for three days
}

async function keepCustomer(userId: string, stripeCustomerId: string): Promise<void> {
  await database().shopCustomer.createMany({ data: { userId, stripeCustomerId }, skipDuplicates: true });
}

/**
 * Closes the customer's payment pages for plans that were opened before, in seconds: one who has opened two must not pay twice.
 * Without `before` it closes all.
 */
export async function expireSessions(customer: string, before = Number.POSITIVE_INFINITY): Promise<void> {
  const { sessions } = stripeClient().checkout;
  for await (const { id, created, metadata } of sessions.list({ customer, status: 'open', limit: 100 })) {
    if (created > before || !findPlan(metadata?.plan)) continue;
    await sessions.expire(id, {}, { idempotencyKey: idempotencyKey('expire', id) }).catch((error: unknown) => {
      // It was paid or expired since it was listed.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    });
  }
}

/**
 * Stores whether a payment was refunded or lost to a dispute, as Stripe has it now: a refund can fail later, and a lost dispute can still be won.
 * After a partial refund the plan stays.
 */
async function refreshRefund(payment: string | { id: string } | null, created: number): Promise<void> {
  if (!payment) return;
  const id = idOf(payment);
  const { paymentIntents, disputes } = stripeClient();
  const token = await drawFencingToken(id); // before Stripe is asked
  const { customer, latest_charge: charge } = await paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  if (!customer || !charge || typeof charge === 'string') return;
  const { data } = await disputes.list({ payment_intent: id, limit: 100 });
  const refundedAt = givenBack(charge, data) >= charge.amount ? dateOf(created) : null;
  await database().$executeRaw`
    INSERT INTO shop_purchases AS purchase (payment_intent_id, stripe_customer_id, refunded_at, fencing_token)
    VALUES (${id}, ${idOf(customer)}, ${refundedAt}::timestamp, ${token})
    ON CONFLICT (payment_intent_id) DO UPDATE SET fencing_token = excluded.fencing_token,
      refunded_at = CASE WHEN excluded.refunded_at IS NULL THEN NULL ELSE coalesce(purchase.refunded_at, excluded.refunded_at) END
    WHERE purchase.fencing_token < excluded.fencing_token`;
}

/** How much of a charge the customer has again, with what was never captured. A dispute in another currency is about all of it. */
const givenBack = ({ amount_refunded, amount_captured, currency }: Stripe.Charge, disputes: Stripe.Dispute[]): number =>
  disputes
    .filter(isLost)
    .reduce(
      (sum, dispute) => sum + (dispute.currency === currency ? dispute.amount : amount_captured),
      amount_refunded,
    );

/** A `prevented` one was blocked, or resolved by giving the payment back: the balance says which, and before it moves, the case. */
function isLost({ status, balance_transactions: moves, payment_method_details: method }: Stripe.Dispute): boolean {
  // A lost one that is appealed stays lost until the appeal is won.
  if (status !== 'prevented') return status === 'lost' || status.startsWith('appeal_');
  const balance = moves.reduce((sum, { amount }) => sum + amount, 0);
  return moves.length > 0 ? balance < 0 : method?.card?.case_type !== 'block';
}

/**
 * Stores the subscription as Stripe has it now, whatever the event said. Of two concurrent reads the later request wins: it saw
 * every change the earlier one saw.
 */
async function refreshSubscription(id: string): Promise<void> {
  const token = await drawFencingToken(id); // before Stripe is asked
  const subscription = await stripeClient().subscriptions.retrieve(id);
  const items = subscription.items.data;
  const item = items.find(({ price }) => planOf(price)) ?? items[0]; // others are add-ons, such as seats
  const price = item?.price;
  const unitAmount = price?.unit_amount ?? null; // null where the price has tiers
  const amount = unitAmount === null ? null : unitAmount * (item?.quantity ?? 1);
  const ending = subscription.cancel_at_period_end ? item?.current_period_end : null;
  const cancelAt = subscription.ended_at ?? subscription.cancel_at ?? ending;
  await database().$executeRaw`
    INSERT INTO shop_subscriptions
      (id, stripe_customer_id, plan, status, amount, currency, current_period_end, cancel_at, fencing_token)
    VALUES (${id}, ${idOf(subscription.customer)}, ${price ? (planOf(price)?.name ?? null) : null}, ${subscription.status},
      ${amount}::bigint, ${price?.currency ?? null}, ${dateOf(item?.current_period_end)}::timestamp, ${dateOf(cancelAt)}::timestamp, ${token})
    ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, status = excluded.status, fencing_token = excluded.fencing_token,
      amount = excluded.amount, currency = excluded.currency, current_period_end = excluded.current_period_end, cancel_at = excluded.cancel_at
    WHERE shop_subscriptions.fencing_token < excluded.fencing_token`;
}

/**
 * Stores the subscriptions that existed before `fulfil` received events, and the user each customer belongs to: 50 per call,
 * newest first. Of a user's customers it keeps the one with the best entitlement. Safe to re-run.
 * @param findUser returns the user ID for a subscription without `svc_customer_key`, or `null`
 * @param after the ID that the previous call returned
 * @returns the ID to pass to the next call, or `null` at the end
 */
export async function backfillSubscriptions(
  findUser: (subscription: Stripe.Subscription) => Promise<string | null>,
  after?: string | null,
): Promise<string | null> {
  const page = { status: 'all', limit: 50, ...(after && { starting_after: after }) } as const;
  const { data, has_more } = await stripeClient().subscriptions.list(page);
  for (const subscription of data) {
    const userId = subscription.metadata.svc_customer_key ?? (await findUser(subscription));
    await refreshSubscription(subscription.id);
    if (userId) await keepBestCustomer(userId, idOf(subscription.customer));
  }
  return has_more ? (data.at(-1)?.id ?? null) : null;
}

/**
 * Stores the plans that were paid once before `fulfil` received events: 50 Checkout sessions per call, newest first. Safe to re-run.
 * Run it after `backfillSubscriptions`: what a user paid for counts for the customer that was kept. Payments without a customer
 * are left out.
 * @param findUser returns the user ID for a session without `svc_customer_key`, or `null`
 * @param after the ID that the previous call returned
 * @returns the ID to pass to the next call, or `null` at the end
 */
export async function backfillPurchases(
  findUser: (session: Stripe.Checkout.Session) => Promise<string | null>,
  after?: string | null,
): Promise<string | null> {
  const page = { status: 'complete', limit: 50, ...(after && { starting_after: after }) } as const;
  const { data, has_more } = await stripeClient().checkout.sessions.list(page);
  for (const session of data) {
    if (session.mode !== 'payment' || !session.customer || !findPlan(session.metadata?.plan)) continue;
    const userId = session.metadata?.svc_customer_key ?? (await findUser(session));
    if (userId) await keepCustomer(userId, idOf(session.customer));
    const customer = (userId && (await readCustomer(userId))) || session.customer;
    await fulfilSession({ ...session, customer }, session.created);
    await refreshRefund(session.payment_intent, session.created);
  }
  return has_more ? (data.at(-1)?.id ?? null) : null;
}

/** Where each checkout created a customer, the newest one may hold nothing, while an older one pays. */
async function keepBestCustomer(userId: string, stripeCustomerId: string): Promise<void> {
  await keepCustomer(userId, stripeCustomerId);
  const stored = await readCustomer(userId);
  const isKept = await database().shopCustomer.count({ where: { stripeCustomerId } }); // for this user or another one
  if (!stored || isKept) return;
  const [current, other] = await Promise.all([findEntitlementOf(stored), findEntitlementOf(stripeCustomerId)]);
  if (!other || (current && compareEntitlements(current, other) <= 0)) return;
  await database().shopCustomer.update({ where: { userId }, data: { stripeCustomerId } });
}

/** The next number for this object; concurrent handlers never get the same one. */
async function drawFencingToken(objectId: string): Promise<bigint> {
  const { last } = await database().shopFencingToken.upsert({
    where: { objectId },
    create: { objectId, last: 1 },
    update: { last: { increment: 1 } },
  });
  return last;
}

const idOf = (reference: string | { id: string }) => (typeof reference === 'string' ? reference : reference.id);
const dateOf = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
