// Whether a webhook is signed, and with which secret. The secret itself never leaves here.
import Stripe from 'stripe';
import { Webhook } from 'svix';

export type SignatureCheck = {
  scheme: 'svix' | 'stripe';
  /** The name of the variable whose secret verifies it; null where none of them does. */
  secret: string | null;
};

type Signed = { headers: Record<string, string>; body: string };

/** @param secrets by the name of their variable */
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
