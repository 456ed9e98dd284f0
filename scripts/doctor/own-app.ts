// What doctor knows of the app that it runs in: its webhooks with their secrets, and what must not reach a browser.
import Stripe from 'stripe';
import { Webhook } from 'svix';
import { clerkEnv } from '@/lib/integration/env';
import { CLERK_ENDPOINT, stripeEndpoints } from '../webhook-endpoints.mjs';
import type { WebhookRoute } from './app';

/** Events that concern nothing, each signed as the provider would with the secret of its variable. */
export function ownWebhooks(now: Date): WebhookRoute[] {
  return [
    { path: CLERK_ENDPOINT.path, name: 'Clerk', signed: signAsClerk(clerkEnv().CLERK_WEBHOOK_SIGNING_SECRET, now) },
    ...stripeEndpoints(process.env).map(({ path, name, variable }) => ({
      path,
      name: `Stripe (${name})`,
      signed: signAsStripe(variable, now),
    })),
  ];
}

function signAsClerk(secret: string, now: Date): WebhookRoute['signed'] {
  const body = JSON.stringify({ type: 'doctor.ping', object: 'event', data: {} });
  const id = `msg_doctor_${now.getTime()}`;
  const headers = {
    'svix-id': id,
    'svix-timestamp': String(Math.floor(now.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign(id, now, body),
  };
  return { body, headers, variable: CLERK_ENDPOINT.variable };
}

function signAsStripe(variable: string, now: Date): WebhookRoute['signed'] {
  const secret = process.env[variable]?.trim();
  if (!secret) return null;
  const created = Math.floor(now.getTime() / 1000);
  const body = JSON.stringify({
    ...{ id: `evt_doctor_${now.getTime()}`, object: 'event', type: 'product.created', livemode: false, created },
    ...{ api_version: Stripe.API_VERSION, data: { object: { id: 'prod_doctor', object: 'product' } } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: created });
  return { body, headers: { 'stripe-signature': signature }, variable };
}

const SECRETS = [
  ...['CLERK_SECRET_KEY', 'CLERK_WEBHOOK_SIGNING_SECRET', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'SVC_API_KEY'],
  ...['SVC_STRIPE_WEBHOOK_SECRET', 'SVC_OPEN_API_KEY'], // part: service
  ...['CRON_SECRET', 'DATABASE_URL'],
];

/** The values that no page or script may contain, by the name of their variable. */
export const readSecrets = (): Record<string, string> =>
  Object.fromEntries(SECRETS.flatMap((name) => (process.env[name]?.trim() ? [[name, process.env[name] ?? '']] : [])));
