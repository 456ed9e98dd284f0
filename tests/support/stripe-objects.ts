// Objects as Stripe has them, for the store of `startStripeApi`.
import { randomUUID } from 'node:crypto';

export const idOf = (prefix: string) => `${prefix}_${randomUUID()}`;

export const priceOf = (plan: string) => ({ lookup_key: plan, metadata: { plan } });

export const subscriptionOf = (id: string, customer: string, fields: object = {}) => ({
  id,
  object: 'subscription',
  customer,
  status: 'active',
  cancel_at: null,
  cancel_at_period_end: false,
  currency: 'usd',
  metadata: {},
  items: { data: [{ current_period_end: 1_782_592_000, price: priceOf('studio_monthly') }] },
  ...fields,
});

export const sessionOf = (paymentIntent: string | null, fields: object = {}) => ({
  id: idOf('cs'),
  mode: 'payment',
  subscription: null,
  customer: idOf('cus'),
  payment_intent: paymentIntent,
  payment_status: 'paid',
  metadata: { plan: 'studio_lifetime' },
  ...fields,
});
