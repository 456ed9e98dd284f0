// Without Checkout: a PaymentIntent for the Payment Element, or a subscription on a saved card. There is no session, so the
// three keys go where the payment is: on the PaymentIntent, or on the subscription, whose invoices carry them.
// Change in your app: what is sold.
import { auth, currentUser, type User } from '@clerk/nextjs/server';
import Stripe from 'stripe';
import { attributionMetadata } from '@/lib/integration/attribution-metadata';
import { findClickId } from '@/lib/integration/click-id';
import { publicEnv } from '@/lib/integration/env';
import { expireSessions, isSubscriber, listSubscriptions } from '@/lib/integration/stripe/billing';
import { fingerprintOf } from '@/lib/integration/stripe/client';
import { ensureCustomer } from '@/lib/integration/stripe/customer';
import { findPrice, stripe } from '@/lib/stripe';

/** A single payment. @returns the client secret for `page.tsx` */
export async function POST(): Promise<Response> {
  const user = await currentUser();
  if (!user) return new Response('Sign in first.', { status: 401 });
  const { id, client_secret } = await stripe.paymentIntents.create({
    amount: 4900,
    currency: 'usd',
    customer: await ensureCustomer(buyerOf(user)),
    metadata: { ...(await attributionOf(user)), product: 'template_pack' }, // says what to grant once it is paid
  });
  return Response.json({ id, client_secret });
}

/**
 * A subscription on a payment method that the customer has saved. If the bank asks the customer to confirm, or refuses, nothing
 * is created: redirect to Checkout then.
 * The form sends the same `attempt`, a random ID, until it has a response: Stripe repeats an error for a day to the same key.
 */
export async function PUT(request: Request): Promise<Response> {
  const user = await currentUser();
  if (!user) return new Response('Sign in first.', { status: 401 });
  const customer = await ensureCustomer(buyerOf(user));
  const form = await request.formData();
  // An open Checkout session could still be paid: a second subscription. It expires first, so that the list has what was paid meanwhile.
  await expireSessions(customer, {});
  const subscriptions = await listSubscriptions(customer);
  if (isSubscriber(subscriptions)) return new Response('There is a subscription already.', { status: 409 });
  try {
    const saved = await stripe.paymentMethods.attach(String(form.get('payment_method')), { customer });
    const params: Stripe.SubscriptionCreateParams = {
      customer,
      default_payment_method: saved.id,
      items: [{ price: await findPrice('pro_monthly') }],
      metadata: await attributionOf(user),
      payment_behavior: 'error_if_incomplete',
    };
    // A repeated request creates one subscription. It charges immediately, so its key does not change with time.
    const attempt = form.get('attempt');
    const options = { idempotencyKey: fingerprintOf('subscribe', params, subscriptions[0]?.id, attempt) };
    const { id, status } = await stripe.subscriptions.create(params, options);
    return Response.json({ id, status });
  } catch (error) {
    // A card may also be refused when it is saved.
    if (error instanceof Stripe.errors.StripeCardError) return new Response('Pay by Checkout.', { status: 402 });
    throw error;
  }
}

const buyerOf = (user: User) => ({ userId: user.id, email: user.primaryEmailAddress?.emailAddress });

const attributionOf = async (user: User) =>
  attributionMetadata({
    clickId: await findClickId(user, (await auth()).actor),
    customerExternalId: user.id,
    programId: publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID,
  });
