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
  /** The name of the variable whose secret signed it; null if none of them did. */
  secret: string | null;
  /** It is signed, but receivers refuse its timestamp. */
  isOutdated?: true;
};

type Signed = { headers: Record<string, string>; body: string };
type Check = (signed: Signed, secret: string) => unknown;

/** Whether receivers accept it, as their SDKs decide: they throw if not. */
const ACCEPT: Record<SignatureCheck['scheme'], Check> = {
  svix: ({ headers, body }, secret) => new Webhook(secret).verify(body, headers),
  stripe: ({ headers, body }, secret) =>
    Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret),
};

/** Whether it is signed with the secret, at whatever time. */
const IS_SIGNED: Record<SignatureCheck['scheme'], Check> = {
  svix: ({ headers, body }, secret) => {
    const at = new Date(Number(headers['svix-timestamp']) * 1000);
    const own = new Webhook(secret).sign(headers['svix-id'] ?? '', at, body);
    return headers['svix-signature']?.split(' ').includes(own);
  },
  stripe: ({ headers, body }, secret) =>
    Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret, 0),
};

/**
 * Whether a webhook is signed, and with which secret. The secret itself never leaves here.
 * @param secrets by the name of their variable
 */
export function checkSignature(signed: Signed, secrets: Record<string, string>): SignatureCheck | null {
  const { headers } = signed;
  const scheme = headers['svix-signature'] ? 'svix' : headers['stripe-signature'] ? 'stripe' : null;
  if (!scheme) return null;
  const find = (check: Check) =>
    Object.keys(secrets).find((name) => isHeld(() => check(signed, secrets[name] ?? ''))) ?? null;
  const secret = find(ACCEPT[scheme]);
  if (secret !== null) return { scheme, secret };
  const signer = find(IS_SIGNED[scheme]);
  return { scheme, secret: signer, ...(signer !== null && { isOutdated: true }) };
}

function isHeld(check: () => unknown): boolean {
  try {
    return Boolean(check());
  } catch {
    return false;
  }
}
