// Where the providers' webhooks go, with the variable of each signing secret and the events that each endpoint needs.
// Read by the relay, which posts them on your machine, and by `npm run setup -- --deployed`, which creates Stripe's endpoints.
import type Stripe from 'stripe';
import { isServiceEmbedded } from '../lib/service/switch.mjs'; // part: service
import type { Environment } from './local-env.mjs';

export type StripeEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent;

export type StripeEndpoint = {
  name: string;
  path: string;
  /** The variable in which the app expects the endpoint's signing secret. */
  variable: string;
  events: readonly StripeEvent[];
};

/** Keeps plans. */
const SHOP: StripeEndpoint = {
  name: 'the shop',
  path: '/api/webhooks/stripe',
  variable: 'STRIPE_WEBHOOK_SECRET',
  events: [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.paused',
    'customer.subscription.resumed',
    'customer.subscription.deleted',
    'charge.refunded',
    'refund.updated',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.closed',
  ],
};

// part: service
/** Attributes sales (contract §4, payment-provider path). */
const SERVICE: StripeEndpoint = {
  name: 'the tracking service',
  path: '/api/v1/webhooks/stripe',
  variable: 'SVC_STRIPE_WEBHOOK_SECRET',
  events: [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'payment_intent.succeeded',
    'invoice.paid',
    'invoice_payment.paid',
    'charge.refunded',
    'refund.failed',
    'refund.updated',
    'charge.dispute.created',
    'charge.dispute.closed',
  ],
};
// end: service

/** Stripe's endpoints of this app. A tracking service elsewhere has one of its own, which is not ours to create. */
export function stripeEndpoints(_env: Environment): StripeEndpoint[] {
  return [
    SHOP,
    ...(isServiceEmbedded(_env) ? [SERVICE] : []), // part: service
  ];
}

export const CLERK_ENDPOINT = {
  path: '/api/webhooks/clerk',
  variable: 'CLERK_WEBHOOK_SIGNING_SECRET',
  events: ['user.created', 'user.updated', 'user.deleted'],
} as const;
