// What doctor knows of the app that it runs in: its webhooks with their secrets, and what must not reach a browser.
import Stripe from 'stripe';
import { clerkEnv } from '@/lib/integration/env';
import { signAsClerk, signAsStripe } from '../relay/endpoints';
import { CLERK_ENDPOINT, stripeEndpoints } from '../webhook-endpoints.mjs';
import type { WebhookRoute } from './app';

/** Events that concern nothing, each signed as the provider would with the secret of its variable. */
export function ownWebhooks(now: Date): WebhookRoute[] {
  const ping = {
    id: `msg_doctor_${now.getTime()}`,
    body: JSON.stringify({ type: 'doctor.ping', object: 'event', data: {} }),
  };
  const event = JSON.stringify({
    ...{ id: `evt_doctor_${now.getTime()}`, object: 'event', type: 'product.created', livemode: false },
    ...{ created: Math.floor(now.getTime() / 1000), api_version: Stripe.API_VERSION },
    data: { object: { id: 'prod_doctor', object: 'product' } },
  });
  const headers = signAsClerk(clerkEnv().CLERK_WEBHOOK_SIGNING_SECRET, ping, now);
  return [
    {
      path: CLERK_ENDPOINT.path,
      name: 'Clerk',
      signed: { body: ping.body, headers, variable: CLERK_ENDPOINT.variable },
    },
    ...stripeEndpoints(process.env).map(({ path, name, variable }) => {
      const secret = process.env[variable]?.trim();
      const signed = secret ? { body: event, headers: signAsStripe(secret, event, now), variable } : null;
      return { path, name: `Stripe (${name})`, signed };
    }),
  ];
}

const SECRETS = [
  ...['CLERK_SECRET_KEY', 'CLERK_WEBHOOK_SIGNING_SECRET', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'SVC_API_KEY'],
  ...['SVC_STRIPE_WEBHOOK_SECRET', 'SVC_OPEN_API_KEY'], // part: service
  ...['CRON_SECRET', 'DATABASE_URL'],
];

/** The values that no page or script may contain, by the name of their variable. */
export const readSecrets = (): Record<string, string> =>
  Object.fromEntries(SECRETS.flatMap((name) => (process.env[name]?.trim() ? [[name, process.env[name] ?? '']] : [])));
