// Sells a plan through Stripe Checkout, with the three keys wherever the tracking service needs them (contract §4, payment path).
// Change in your app: the URLs, and any parameters of your own.
import 'server-only';
import type Stripe from 'stripe';
import {
  type AttributedSessionParams,
  attributionMetadata,
  createAttributedSession,
} from '@/lib/integration/attribution-metadata';
import { appEnv, publicEnv } from '@/lib/integration/env';
import { log } from '@/lib/integration/log';
import type { Plan } from '@/lib/integration/plans';
import { expireSessions, isSubscriber, listSubscriptions } from './billing';
import { sharedWrite, stripeClient } from './client';
import { type Buyer, ensureCustomer } from './customer';
import { listPurchases } from './holdings';
import { openPortal } from './portal';
import { listPrices } from './prices';

type AttributedBuyer = Buyer & { clickId: string | null };

/**
 * The URL at which a signed-in user buys a plan: the payment page. A subscriber who chooses a subscription goes
 * to the billing portal; the owner of a one-time plan to the account; a customer whose payment for it is in progress to the success
 * page. A customer gets one free trial.
 * The price comes from the plan's lookup key, the customer from the database and the URLs from APP_URL, never from a header or a form.
 * @throws if Stripe or the database cannot be reached, or if Stripe has no price for the plan
 */
export async function startPurchase(buyer: AttributedBuyer, plan: Plan): Promise<string> {
  const customer = await ensureCustomer(buyer);
  if (plan.interval === null) {
    const payment = await findPayment(customer, plan);
    if (payment === 'stored') return `${appEnv().APP_URL}/account`;
    return payment === 'awaited' ? successUrl(plan) : openCheckout(buyer, plan, customer);
  }
  const { url } = await startSubscription(customer, async (subscriptions) => ({
    url: await openCheckout(buyer, hadTrial(subscriptions) ? { ...plan, trialDays: 0 } : plan, customer),
  }));
  return url;
}

/**
 * Creates a Checkout session for a subscription, unless the customer has one: a second subscription would charge twice.
 * @param createSession gets the customer's subscriptions, including ended ones
 * @returns the session or, for a subscriber, the URL of the billing portal, where they can change the plan or make a payment that is due
 */
export async function startSubscription<Session extends { url: string | null }>(
  customer: string,
  createSession: (subscriptions: Stripe.Subscription[]) => Promise<Session>,
): Promise<Session | { url: string }> {
  const subscriptions = await listSubscriptions(customer);
  if (isSubscriber(subscriptions)) return { url: await openPortal(customer) };
  const session = await createSession(subscriptions);
  // Another session may have been paid since the list was read: its webhook expires only sessions that were created earlier.
  if (!isSubscriber(await listSubscriptions(customer))) return session;
  await expireSessions(customer, {});
  return { url: await openPortal(customer) };
}

/**
 * Whether the customer's payment for the plan is stored, or only Stripe knows about it: a bank debit in progress, a webhook that has
 * not arrived. A refunded payment does not count.
 */
async function findPayment(customer: string, plan: Plan): Promise<'stored' | 'awaited' | null> {
  const stored = await listPurchases(customer);
  if (stored.some(({ plan: name, paidAt, refundedAt }) => name === plan.name && paidAt && !refundedAt)) return 'stored';
  const { sessions } = stripeClient().checkout;
  const list = sessions.list({ customer, status: 'complete', expand: ['data.payment_intent'], limit: 100 });
  for await (const { metadata, payment_intent: payment } of list) {
    if (metadata?.plan !== plan.name || !payment || typeof payment === 'string') continue; // a plan that was free has no payment
    const isRefunded = stored.some(({ paymentIntentId, refundedAt }) => refundedAt && paymentIntentId === payment.id);
    if (!isRefunded && (payment.status === 'succeeded' || payment.status === 'processing')) return 'awaited';
  }
  return null;
}

const successUrl = (plan: Plan) => `${appEnv().APP_URL}/checkout/success?plan=${plan.name}`;

/** The URL of a new Checkout session. */
async function openCheckout({ userId, clickId }: AttributedBuyer, plan: Plan, customer: string): Promise<string> {
  const stripe = stripeClient();
  const [price, latest] = await Promise.all([findPrice(plan), stripe.checkout.sessions.list({ customer, limit: 1 })]);
  const params: AttributedSessionParams = {
    ...attributedParams(plan, userId, clickId),
    customer,
    client_reference_id: userId,
    line_items: [{ price, quantity: 1 }],
    allow_promotion_codes: true, // every active code of the account that is not restricted to others; excludes `discounts`
    success_url: successUrl(plan),
    cancel_url: `${appEnv().APP_URL}/checkout?plan=${plan.name}`,
  };
  // Parallel requests share one session; a checkout after an earlier session gets a new one.
  const session = await createAttributedSession(stripe, params, sharedWrite(params, latest.data[0]?.id));
  if (!session.url) throw new Error(`Checkout session ${session.id} has no URL.`);
  return session.url;
}

// `plan` is for your own webhook; the tracking service reads only the three keys.
function attributedParams(plan: Plan, customerExternalId: string, clickId: string | null) {
  const programId = publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID;
  const attribution = attributionMetadata({ clickId, customerExternalId, programId });
  const metadata = { ...attribution, plan: plan.name };
  if (plan.interval === null) {
    return { mode: 'payment' as const, metadata, payment_intent_data: { metadata: attribution } };
  }
  const trial = plan.trialDays ? { trial_period_days: plan.trialDays } : {};
  return { mode: 'subscription' as const, metadata, subscription_data: { metadata: attribution, ...trial } };
}

async function findPrice(plan: Plan): Promise<string> {
  const [price] = await listPrices(stripeClient(), [plan.name], { active: true });
  if (!price) {
    const problem = `Stripe has no price with the lookup key ${plan.name}. Create an active one, in the mode of STRIPE_SECRET_KEY.`;
    log.error(problem); // `logFailure` leaves out the messages of errors
    throw new Error(problem);
  }
  return price.id;
}

/** One free trial per customer: otherwise, canceling and subscribing again would be free forever. */
const hadTrial = (subscriptions: Array<Pick<Stripe.Subscription, 'trial_start'>>): boolean =>
  subscriptions.some(({ trial_start }) => trial_start !== null);
