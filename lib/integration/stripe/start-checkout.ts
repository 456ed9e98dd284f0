import 'server-only';
import {
  type AttributedSessionParams,
  attributionMetadata,
  createAttributedSession,
} from '@/lib/integration/attribution-metadata';
import { appEnv, publicEnv } from '@/lib/integration/env';
import type { Plan } from '@/lib/integration/plans';
import { type Buyer, findOrCreateCustomer } from './customers';
import { stripeClient } from './stripe-client';

/**
 * Starts a hosted checkout for a signed-in user.
 * Everything that decides about money or attribution comes from the server: the price from the plan's lookup key, the customer
 * from the session, the addresses from APP_URL, never from a header or a form.
 * @returns the address of the payment page
 */
export async function startCheckout(buyer: Buyer, plan: Plan, clickId: string | null): Promise<string> {
  const stripe = stripeClient();
  const { APP_URL } = appEnv();
  const session = await createAttributedSession(stripe, {
    ...paramsOf(plan, buyer.userId, clickId),
    customer: await findOrCreateCustomer(buyer),
    client_reference_id: buyer.userId,
    line_items: [{ price: await priceIdOf(plan), quantity: 1 }],
    allow_promotion_codes: true,
    success_url: `${APP_URL}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${APP_URL}/checkout?plan=${plan.name}`,
  });
  if (!session.url) throw new Error(`Checkout session ${session.id} has no address.`);
  return session.url;
}

// The session names the plan for the shop's own webhook; the tracking service reads the three keys only.
function paramsOf(plan: Plan, customerExternalId: string, clickId: string | null): AttributedSessionParams {
  const programId = publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID;
  const attribution = attributionMetadata({ clickId, customerExternalId, programId });
  const metadata = { ...attribution, plan: plan.name };
  if (plan.interval === null) return { mode: 'payment', metadata, payment_intent_data: { metadata: attribution } };
  const trial = plan.trialDays ? { trial_period_days: plan.trialDays } : {};
  return { mode: 'subscription', metadata, subscription_data: { metadata: attribution, ...trial } };
}

async function priceIdOf(plan: Plan): Promise<string> {
  const { data } = await stripeClient().prices.list({ lookup_keys: [plan.name], active: true, limit: 1 });
  if (!data[0]) throw new Error(`Stripe has no price with the lookup key ${plan.name}. Run \`npm run setup:stripe\`.`);
  return data[0].id;
}
