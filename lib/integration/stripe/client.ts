// The Stripe SDK and its webhooks. Change in your app: nothing.
import 'server-only';
import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { stripeEnv, stripeWebhookEnv } from '@/lib/integration/env';
import { log } from '@/lib/integration/log';

let client: Stripe | undefined;

/** The SDK, connected on first use. `STRIPE_API_URL` points it elsewhere: host, port and protocol, never a path. */
export function stripeClient(): Stripe {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_URL: url } = stripeEnv();
  client ??= connectStripe(key, url);
  return client;
}

/** A customer waits for the response, or a webhook does: the SDK alone would wait for 80 s, three times. */
const PATIENCE = { timeout: 10_000, maxNetworkRetries: 1 };

/** The SDK with a key, at an address other than Stripe's own where one is given. */
export const connectStripe = (key: string, url?: string): Stripe =>
  new Stripe(key, { ...PATIENCE, ...(url && addressOf(url)) });

function addressOf(url: string): Stripe.StripeConfig {
  const { hostname, port, protocol } = new URL(url);
  const isPlain = protocol === 'http:';
  return {
    host: hostname,
    port: Number(port || (isPlain ? 80 : 443)),
    protocol: isPlain ? 'http' : 'https',
    telemetry: false,
  };
}

/**
 * The key of a write: requests with the same parts within a minute are one write, however many and however parallel they are.
 * No longer than that, since Stripe repeats the first response for a day, also where it was an error.
 */
export const idempotencyKey = (...parts: unknown[]): string => fingerprintOf(...parts, Math.floor(Date.now() / 60_000));

/**
 * The options of a write that parallel requests share. Stripe returns 409 while another request uses the key, so the write is
 * retried three times, over two to four seconds.
 */
export const sharedWrite = (...parts: unknown[]): Stripe.RequestOptions => ({
  idempotencyKey: idempotencyKey(...parts),
  maxNetworkRetries: 3,
  timeout: 5_000, // four attempts take as long as two with `PATIENCE`
});

/** The same for the same parts. Hashed, since what is sent to Stripe appears in its logs. */
export const fingerprintOf = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Whether Stripe does not know the object, as after a change of mode or account. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

/**
 * The event in a Stripe webhook, or `null` where its signature is missing, wrong, or older than five minutes.
 * While you roll a secret Stripe signs with both, so one secret is enough.
 * @param body the raw text, as it was sent
 */
export function verifyStripeWebhook(body: string, signature: string | null): Stripe.Event | null {
  const secret = stripeWebhookEnv().STRIPE_WEBHOOK_SECRET;
  const { webhooks } = stripeClient();
  try {
    return webhooks.constructEvent(body, signature ?? '', secret);
  } catch (error) {
    if (error instanceof SyntaxError) throw error; // the signature is right and the body is no JSON
    log.warn('webhook: a signature was refused', { endpoint: 'stripe' });
    return null; // a header that is cut off makes the SDK throw other errors than its own
  }
}
