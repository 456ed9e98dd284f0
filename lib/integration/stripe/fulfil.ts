// Stores what customers have paid for, from Stripe's events in any order and any number of times.
// Change in your app: what you store. Keep the two techniques that make order irrelevant: ask Stripe, or write separate columns.
import 'server-only';
import type Stripe from 'stripe';
import { database } from '@/lib/integration/database';
import { publicEnv } from '@/lib/integration/env';
import { log } from '@/lib/integration/log';
import { isErased } from '@/lib/integration/outbox/store';
import { findPlan, type Plan } from '@/lib/integration/plans';
import { cancelUnpaid, endBilling, expireSessions, hasEnded } from './billing';
import { idOf, stripeClient } from './client';
import { readCustomer } from './customer';
import { keepBestCustomer, listStored } from './holdings';
import { periodAmount, planOf, unknownPlanOf } from './prices';

/**
 * Stores what an event changes; ignores other events.
 * @throws if Stripe or the database cannot be reached, or if a user has a plan that is unknown: respond 5xx, and Stripe sends the event
 * again for three days
 */
export async function fulfil(event: Stripe.Event): Promise<void> {
  if (event.account) return; // from a connected account: not this app's sale
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return fulfilCheckout(event.data.object, event.created);
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.deleted':
      return fulfilSubscription(event.data.object.id, event.type);
    case 'charge.refunded':
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return refreshRefund(event.data.object.payment_intent);
  }
}

/** Stores what was bought, and logs a payment that an operator may have to refund. */
async function fulfilCheckout(session: Stripe.Checkout.Session, completedAt: number): Promise<void> {
  const { customer, isDeleted } = await fulfilSession(session, completedAt);
  await reportSecondPayment(session, customer);
  const { plan, svc_customer_key: userId } = session.metadata ?? {};
  if (isDeleted && plan && session.payment_status === 'paid') {
    log.error('fulfil: a deleted user has paid', { session: session.id, customer: userId });
  }
}

type Fulfilled = {
  /** The Stripe customer that is stored for the user; null if the session is not for a plan of this app. */
  customer: string | null;
  /** Whether the user was deleted by the time the session is handled. */
  isDeleted: boolean;
};

/** @param completedAt in seconds; for a backfill, which cannot know it, when the session was created */
export async function fulfilSession(session: Stripe.Checkout.Session, completedAt: number): Promise<Fulfilled> {
  const customer = await storeSession(session, completedAt);
  const { svc_customer_key: userId, program_id: programId } = session.metadata ?? {};
  if (!userId || !(await isErased(userId))) return { customer, isDeleted: false };
  // Ordered while the user was being deleted: `user.deleted` came before there was something to end.
  const isOwn = customer !== null || programId === publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID;
  if (isOwn && session.customer) await endBilling(userId, idOf(session.customer));
  return { customer, isDeleted: true };
}

async function storeSession(session: Stripe.Checkout.Session, completedAt: number): Promise<string | null> {
  const { plan: name, svc_customer_key: userId } = session.metadata ?? {}; // contract §2: the user's ID, as at sign-up
  if (!name) return null; // another product of the same account
  const plan = findPlan(name);
  // A bank debit completes the session before it is paid; async_payment_succeeded follows. A session in `setup` mode is not paid.
  const isPaid = session.mode !== 'setup' && session.payment_status !== 'unpaid';
  if (!session.customer) {
    if (plan && isPaid)
      log.error('fulfil: a plan was bought without a Stripe customer', { session: session.id, plan: name });
    return null;
  }
  const stripeCustomerId = idOf(session.customer);
  if (!plan) {
    await refuseUnknownPlan({ kind: 'session', id: session.id }, name, userId, stripeCustomerId);
    return null;
  }
  if (session.subscription) await refreshSubscription(idOf(session.subscription));
  // It is stored since before the checkout, unless the database was restored, or the session created without the stored customer.
  const current = userId ? await keepBestCustomer(userId, stripeCustomerId) : stripeCustomerId;
  if (session.mode === 'payment' && isPaid) {
    // If a promotion code covers the whole price, there is no PaymentIntent.
    const paymentIntentId = session.payment_intent ? idOf(session.payment_intent) : session.id;
    const purchase = { stripeCustomerId: current, plan: plan.name, paidAt: dateOf(completedAt) };
    await database().shopPurchase.upsert({
      where: { paymentIntentId },
      create: { paymentIntentId, ...purchase },
      update: purchase, // its refund may have come first, with the customer that paid
    });
    if (userId) {
      // A checkout may be replacing the customer and its purchases in one transaction. FOR SHARE waits until that is committed.
      await database().$executeRaw`SELECT FROM shop_customers WHERE user_id = ${userId} FOR SHARE`;
      const latest = await readCustomer(userId);
      if (latest && latest !== current) {
        const data = { stripeCustomerId: latest };
        await database().shopPurchase.update({ where: { paymentIntentId }, data });
      }
    }
  }
  if (isPaid && session.subscription) await cancelUnpaid(stripeCustomerId, idOf(session.subscription), completedAt);
  await expireSessions(stripeCustomerId, { before: completedAt }); // the completed session itself is no longer open
  return current;
}

/**
 * Logs that a customer pays twice: by two checkouts at the same moment, or by a voucher after a card. Stripe cancels neither payment
 * then, so an operator has to refund one.
 * @param current the user's stored customer, which may differ from the one that paid
 */
async function reportSecondPayment(session: Stripe.Checkout.Session, current: string | null): Promise<void> {
  const plan = findPlan(session.metadata?.plan);
  if (!plan || !session.customer || !current) return;
  const customers = [current, idOf(session.customer)];
  const list = plan.interval === null ? listPaid : listCharging;
  const refresh = plan.interval === null ? refreshRefund : refreshSubscription;
  const stored = await list(customers, plan);
  if (stored.length < 2) return;
  for (const id of stored) await refresh(id); // an event that ended one of them may be late
  const [first, second] = await list(customers, plan);
  if (second) log.error('fulfil: a customer pays twice', { customer: current, plan: plan.name, first, second });
}

/** The payments for a plan that were not refunded. A session that cost nothing has none. */
async function listPaid(customers: string[], { name: plan }: Plan): Promise<string[]> {
  const paymentIntentId = { startsWith: 'pi_' };
  const stripeCustomerId = { in: customers };
  const where = { stripeCustomerId, plan, paymentIntentId, paidAt: { not: null }, refundedAt: null };
  const purchases = await database().shopPurchase.findMany({ where, orderBy: { paidAt: 'asc' } });
  return purchases.map(({ paymentIntentId: id }) => id);
}

/** The subscriptions to plans that charge, of which there should be one. */
async function listCharging(customers: string[]): Promise<string[]> {
  const where = {
    stripeCustomerId: { in: customers },
    plan: { not: null },
    status: { in: ['active', 'trialing', 'past_due'] },
  };
  const subscriptions = await database().shopSubscription.findMany({ where, orderBy: { currentPeriodEnd: 'asc' } });
  return subscriptions.map(({ id }) => id);
}

/**
 * Refuses a plan that was renamed or removed, or that only a newer version of the app has, as during a deployment. What another app has
 * sold, to other customers, is ignored.
 */
async function refuseUnknownPlan(
  { kind, id }: { kind: 'session' | 'subscription'; id: string },
  plan: string,
  userId: string | undefined,
  customer: string,
): Promise<void> {
  const isUsers = userId !== undefined && (await readCustomer(userId)) === customer;
  const isStored = kind === 'subscription' && (await listStored([id])).length > 0;
  if (!isUsers && !isStored) return;
  log.error('fulfil: a user has bought a plan that is not in plans.ts', { [kind]: id, plan });
  throw new Error(`The ${kind} ${id} is for an unknown plan.`); // Stripe sends the event again for three days
}

/**
 * Stores whether a payment was refunded or lost to a dispute, as Stripe says now: a refund can fail later, and a lost dispute can
 * still be won. A partial refund leaves the plan.
 */
export async function refreshRefund(payment: string | { id: string } | null): Promise<void> {
  if (!payment) return;
  const id = idOf(payment);
  const { paymentIntents, disputes } = stripeClient();
  const token = await drawFencingToken(id); // before Stripe is asked
  const { customer, latest_charge: charge } = await paymentIntents.retrieve(id, { expand: ['latest_charge.refunds'] });
  if (!customer || !charge || typeof charge === 'string') return;
  const { data } = await disputes.list({ payment_intent: id, limit: 100 });
  const refundedAt = returnedAmount(charge, data) >= charge.amount ? returnedAt(charge, data) : null;
  await database().$executeRaw`
    INSERT INTO shop_purchases AS purchase (payment_intent_id, stripe_customer_id, refunded_at, fencing_token)
    VALUES (${id}, ${idOf(customer)}, ${refundedAt}::timestamp, ${token})
    ON CONFLICT (payment_intent_id) DO UPDATE SET
      fencing_token = excluded.fencing_token, refunded_at = excluded.refunded_at
    WHERE purchase.fencing_token < excluded.fencing_token`;
}

/** How much of a charge was returned to the customer or never captured. A dispute in another currency covers the whole charge. */
const returnedAmount = (
  { amount_refunded, amount_captured, currency }: Stripe.Charge,
  disputes: Stripe.Dispute[],
): number =>
  disputes
    .filter(isLost)
    .reduce(
      (sum, dispute) => sum + (dispute.currency === currency ? dispute.amount : amount_captured),
      amount_refunded,
    );

/** When the last part was returned: the newest of its refunds and lost disputes. */
function returnedAt({ created, refunds }: Stripe.Charge, disputes: Stripe.Dispute[]): Date | null {
  const kept = refunds?.data.filter(({ status }) => status !== 'failed' && status !== 'canceled') ?? [];
  return dateOf(Math.max(created, ...[...kept, ...disputes.filter(isLost)].map((part) => part.created)));
}

/** A `prevented` dispute was blocked, or resolved by a refund: the balance says which or, before it changes, the case type. */
function isLost({ status, balance_transactions: moves, payment_method_details: method }: Stripe.Dispute): boolean {
  // A lost dispute stays lost until an appeal is won.
  if (status !== 'prevented') return status === 'lost' || status.startsWith('appeal_');
  const balance = moves.reduce((sum, { amount }) => sum + amount, 0);
  return moves.length > 0 ? balance < 0 : method?.card?.case_type !== 'block';
}

/**
 * Stores the subscription as Stripe says now, not as the event said. Of two concurrent reads, the one that drew its token later wins:
 * it has every change whose event drew an earlier one. A change during the reads has an event of its own, which draws a later one; only
 * a discount on the customer waits for the subscription's next event.
 */
export async function refreshSubscription(id: string): Promise<Stripe.Subscription> {
  const token = await drawFencingToken(id); // before Stripe is asked
  const subscription = await stripeClient().subscriptions.retrieve(id, { expand: ['customer'] });
  const items = subscription.items.data;
  const item = items.find(({ price }) => planOf(price)) ?? items[0]; // others are add-ons, such as seats
  const isUnknown = unknownPlanOf(subscription) !== null; // then the customer keeps the plan that is stored
  const ending = subscription.cancel_at_period_end ? item?.current_period_end : null;
  const cancelAt = subscription.ended_at ?? subscription.cancel_at ?? ending;
  await database().$executeRaw`
    INSERT INTO shop_subscriptions
      (id, stripe_customer_id, plan, status, amount, currency, current_period_end, cancel_at, fencing_token)
    VALUES (${id}, ${idOf(subscription.customer)}, ${(item && planOf(item.price)?.name) ?? null}, ${subscription.status},
      ${periodAmount(subscription)}::bigint, ${subscription.currency}, ${dateOf(item?.current_period_end)}::timestamp, ${dateOf(cancelAt)}::timestamp, ${token})
    ON CONFLICT (id) DO UPDATE SET plan = CASE WHEN ${isUnknown} THEN shop_subscriptions.plan ELSE excluded.plan END, status = excluded.status, fencing_token = excluded.fencing_token,
      amount = excluded.amount, currency = excluded.currency, current_period_end = excluded.current_period_end, cancel_at = excluded.cancel_at
    WHERE shop_subscriptions.fencing_token < excluded.fencing_token`;
  return subscription;
}

/** Stores the subscription, refuses a plan that plans.ts does not have, and ends a deleted user's. */
async function fulfilSubscription(id: string, type: Stripe.Event.Type): Promise<void> {
  const subscription = await refreshSubscription(id);
  if (hasEnded(subscription)) return;
  const { customer, metadata, status } = subscription;
  const { svc_customer_key: userId, program_id: programId } = metadata;
  // Created while the user was being deleted: `user.deleted` has ended what there was before.
  const isNew = type === 'customer.subscription.created' && userId;
  if (isNew && programId === publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID && (await isErased(userId))) {
    if (status === 'active') log.error('fulfil: a deleted user has paid', { subscription: id, customer: userId });
    await endBilling(userId, idOf(customer));
    return;
  }
  const plan = unknownPlanOf(subscription);
  if (plan) await refuseUnknownPlan({ kind: 'subscription', id }, plan, userId, idOf(customer));
}

/** The next fencing token for this object; concurrent handlers never get the same one. */
async function drawFencingToken(objectId: string): Promise<bigint> {
  const { last } = await database().shopFencingToken.upsert({
    where: { objectId },
    create: { objectId, last: 1 },
    update: { last: { increment: 1 } },
  });
  return last;
}

const dateOf = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
