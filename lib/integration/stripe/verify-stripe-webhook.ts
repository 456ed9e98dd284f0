import 'server-only';
import Stripe from 'stripe';
import { stripeWebhookEnv } from '@/lib/integration/env';
import { stripeClient } from './stripe-client';

/**
 * The event in a webhook of Stripe's, or `null` where its signature is missing, wrong, or older than five minutes.
 * While you roll a secret Stripe signs with both, so one secret is enough.
 * @param body the raw text, as it was sent
 */
export function verifyStripeWebhook(body: string, signature: string | null): Stripe.Event | null {
  const secret = stripeWebhookEnv().STRIPE_WEBHOOK_SECRET;
  try {
    return stripeClient().webhooks.constructEvent(body, signature ?? '', secret);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}
