// Where the providers' webhooks go, with the variable of each signing secret and the events that each endpoint needs.
// Read by what posts them on your machine, and by `npm run setup -- --deployed`, which creates Stripe's endpoints.
import { isServiceEmbedded } from '../lib/service/switch.mjs'; // part: service

/** @typedef {import('stripe').Stripe.WebhookEndpointCreateParams.EnabledEvent} StripeEvent */
/** @typedef {import('./local-env.mjs').Environment} Environment */
/**
 * @typedef {object} StripeEndpoint
 * @property {string} name
 * @property {string} path
 * @property {string} variable the variable in which the app expects the endpoint's signing secret
 * @property {readonly StripeEvent[]} events
 */

/** Keeps plans. @type {StripeEndpoint} */
const SHOP = {
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
/** Attributes sales (contract §4, payment-provider path). @type {StripeEndpoint} */
const SERVICE = {
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

/**
 * Stripe's endpoints of this app. A remote tracking service has one of its own, which is not ours to create.
 * @param {Environment} _env
 * @returns {StripeEndpoint[]}
 */
export function stripeEndpoints(_env) {
  return [
    SHOP,
    ...(isServiceEmbedded(_env) ? [SERVICE] : []), // part: service
  ];
}

export const CLERK_ENDPOINT = /** @type {const} */ ({
  path: '/api/webhooks/clerk',
  variable: 'CLERK_WEBHOOK_SIGNING_SECRET',
  events: ['user.created', 'user.updated', 'user.deleted'],
});
