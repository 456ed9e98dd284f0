import 'server-only';
import type { SecretName } from '../deliveries/delivery-queries';
import { appUrl } from '../env';
import type { Store } from './store';

/** Where events go. `apiVersion` is the endpoint's own: it, not the SDK's, decides the shape of what is sent. */
export type Destination = {
  url: string;
  events: string[];
  apiVersion: string | null;
  signedWith: { secretName: SecretName } | { secret: string };
};

type BuiltIn = { path: string; secretName: SecretName; events: string[] };

/** The two endpoints of a local run, as you would set them up in Stripe's dashboard: with the events each one needs. */
const BUILT_IN: BuiltIn[] = [
  {
    path: '/api/webhooks/stripe',
    secretName: 'STRIPE_WEBHOOK_SECRET',
    events: [
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
      'checkout.session.async_payment_failed',
      'checkout.session.expired',
      'customer.subscription.created',
      'customer.subscription.updated',
      'customer.subscription.deleted',
      'invoice.paid',
      'invoice.payment_failed',
      'charge.refunded',
    ],
  },
  {
    path: '/api/v1/webhooks/stripe',
    secretName: 'SVC_STRIPE_WEBHOOK_SECRET',
    events: [
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
      'invoice.paid',
      'invoice.payment_failed',
      'invoice_payment.paid',
      'charge.refunded',
    ],
  },
];

/** Every endpoint that is enabled: the built-in ones, and those made through the API. */
export async function loadDestinations(store: Store): Promise<Destination[]> {
  const builtIn = BUILT_IN.map(({ path, secretName, events }) => ({
    url: appUrl() + path,
    events,
    apiVersion: null,
    signedWith: { secretName },
  }));
  const endpoints = await store.all('webhook_endpoint', { status: 'enabled' });
  const made: Destination[] = [];
  for (const { id, url, enabled_events: events, api_version: apiVersion } of endpoints) {
    const { secret } = await store.internal<{ secret: string }>(id);
    made.push({ url, events, apiVersion, signedWith: { secret } });
  }
  return [...builtIn, ...made];
}
