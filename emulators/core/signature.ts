// Webhooks are signed, and checked, by the providers' own SDKs.
import Stripe from 'stripe';
import { Webhook } from 'svix';

export type Provider = 'clerk' | 'stripe';

type Unsigned = { provider: Provider; eventId: string; body: string; secret: string };

// Signing needs no account: the key is never sent.
const stripe = new Stripe('sk_test_unused', { telemetry: false });

/**
 * The headers of one delivery attempt, signed by the provider's own SDK. `at` is wall-clock time, whatever the emulators' clock
 * says: receivers refuse a signature that is more than five minutes off.
 */
export function signDelivery({ provider, eventId, body, secret }: Unsigned, at: Date): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  if (provider === 'clerk') {
    return {
      'content-type': 'application/json',
      'user-agent': 'Svix-Webhooks/1.0 (emulator)',
      'svix-id': eventId,
      'svix-timestamp': String(timestamp),
      'svix-signature': new Webhook(secret).sign(eventId, at, body),
    };
  }
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }),
  };
}

export type SignatureCheck = {
  scheme: 'svix' | 'stripe';
  /** The name of the variable whose secret verifies it; null if none of them does. */
  secret: string | null;
};

type Signed = { headers: Record<string, string>; body: string };

/**
 * Whether a webhook is signed, and with which secret. The secret itself never leaves here.
 * @param secrets by the name of their variable
 */
export function checkSignature({ headers, body }: Signed, secrets: Record<string, string>): SignatureCheck | null {
  const scheme = headers['svix-signature'] ? 'svix' : headers['stripe-signature'] ? 'stripe' : null;
  if (!scheme) return null;
  const isValid = (secret: string) =>
    scheme === 'svix' ? isSvix(headers, body, secret) : isStripe(headers, body, secret);
  return { scheme, secret: Object.keys(secrets).find((name) => isValid(secrets[name] ?? '')) ?? null };
}

function isSvix(headers: Record<string, string>, body: string, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

function isStripe(headers: Record<string, string>, body: string, secret: string): boolean {
  try {
    Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret);
    return true;
  } catch {
    return false;
  }
}
