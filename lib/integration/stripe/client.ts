// The Stripe SDK and its webhooks.
import 'server-only';
import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { stripeEnv, stripeWebhookEnv } from '@/lib/integration/env';
import { log } from '@/lib/integration/log';

let client: Stripe | undefined;

/** The SDK, created on first use. `STRIPE_API_URL` overrides its host, port and protocol; it has no path. */
export function stripeClient(): Stripe {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_URL: url } = stripeEnv();
  return (client ??= connectStripe(key, url));
}

/** A customer or a webhook waits for the response; by default, the SDK would wait for 80 s, three times. */
const LIMITS = { timeout: 10_000, maxNetworkRetries: 1 };

/** The SDK with a key and, optionally, another address than Stripe's. */
export const connectStripe = (key: string, url?: string): Stripe =>
  new Stripe(key, { ...LIMITS, ...(url && addressOf(url)) });

function addressOf(url: string): Stripe.StripeConfig {
  const { hostname, port, protocol } = new URL(url);
  const isPlain = protocol === 'http:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''), // Node connects to an IPv6 address without its brackets
    port: Number(port || (isPlain ? 80 : 443)),
    protocol: isPlain ? 'http' : 'https',
    telemetry: false,
  };
}

/**
 * The options of a write that parallel requests share: within a minute, writes with the same parts have the same idempotency key.
 * Not longer, because Stripe repeats the first response for a day, even an error. Stripe returns 409 while another request uses
 * the key, so the write is retried three times, over two to four seconds.
 */
export const sharedWrite = (...parts: unknown[]): Stripe.RequestOptions => ({
  idempotencyKey: fingerprintOf(...parts, Math.floor(Date.now() / 60_000)),
  maxNetworkRetries: 3,
  timeout: 5_000, // four attempts take as long as two with `LIMITS`
});

/** The same for the same parts. Hashed, because keys and metadata appear in Stripe's logs. */
export const fingerprintOf = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** The ID of an object that Stripe may have expanded. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

/** Whether Stripe does not know the object, for example after a change of mode or account. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

/**
 * The event in a Stripe webhook, or `null` if the signature is missing, wrong, or older than five minutes.
 * While you roll a secret, Stripe signs with both, so one secret is enough.
 * @param body the raw text, as received
 * @throws {SyntaxError} if the signature is right but the body is not JSON
 */
export function verifyStripeWebhook(body: string, signature: string | null): Stripe.Event | null {
  const secret = stripeWebhookEnv().STRIPE_WEBHOOK_SECRET;
  const { webhooks } = stripeClient();
  try {
    return webhooks.constructEvent(body, signature ?? '', secret);
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    log.warn('webhook: a signature was refused', { endpoint: 'stripe' });
    return null; // whatever the error: for a truncated header, the SDK throws other classes than its own
  }
}
