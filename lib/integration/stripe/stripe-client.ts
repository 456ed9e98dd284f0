import 'server-only';
import Stripe from 'stripe';
import { stripeEnv } from '@/lib/integration/env';

let client: Stripe | undefined;

/** The genuine SDK, connected on first use. `STRIPE_API_URL` points it elsewhere: host, port and protocol, never a path. */
export function stripeClient(): Stripe {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_URL: url } = stripeEnv();
  client ??= new Stripe(key, url ? addressOf(url) : {});
  return client;
}

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
