import Stripe from 'stripe';
import { unique } from './unique';

// Events as Stripe sends them, cut to the fields that are read, and their genuine signature.

export type Metadata = { program_id?: string; svc_click_id?: string; svc_customer_key?: string };
export type StripeEvent = {
  id: string;
  type: string;
  created: number;
  livemode: boolean;
  account?: string;
  data: { object: object };
};

const event = (type: string, object: object): StripeEvent => ({
  id: unique('evt'),
  type,
  created: Math.floor(Date.now() / 1000),
  livemode: false,
  data: { object },
});

type Payment = { metadata: Metadata; invoiceId?: string; paymentIntentId?: string; amount?: number; tax?: number };

/** A one-off payment. */
export const sessionCompleted = (
  { metadata, paymentIntentId = unique('pi'), invoiceId, amount = 39_900, tax = 0 }: Payment,
  extra: object = {},
) =>
  event('checkout.session.completed', {
    id: `cs_${invoiceId ?? paymentIntentId}`,
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    amount_total: amount + tax,
    total_details: { amount_tax: tax, amount_discount: 0, amount_shipping: 0 },
    currency: 'usd',
    payment_intent: paymentIntentId,
    invoice: invoiceId ?? null,
    subscription: null,
    metadata,
    ...extra,
  });

/** The session of a subscription, as it arrives beside its first invoice. */
export const subscriptionSession = (
  { metadata, invoiceId = unique('in'), amount = 1900, tax = 0 }: Payment,
  extra: object = {},
) =>
  sessionCompleted(
    { metadata, invoiceId, amount, tax },
    { mode: 'subscription', payment_intent: null, subscription: unique('sub'), ...extra },
  );

/** An invoice of a subscription, in the shape of API versions since 2025. */
export const invoicePaid = (
  { metadata, invoiceId = unique('in'), amount = 1900, tax = 0 }: Payment,
  extra: object = {},
) =>
  event('invoice.paid', {
    id: invoiceId,
    object: 'invoice',
    amount_paid: amount + tax,
    total: amount + tax,
    currency: 'usd',
    billing_reason: 'subscription_create',
    metadata: {},
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata, subscription: unique('sub') },
    },
    total_taxes: tax ? [{ amount: tax, tax_behavior: 'exclusive' }] : [],
    ...extra,
  });

export const invoicePaymentPaid = (paymentIntentId: string, invoiceId: string) =>
  event('invoice_payment.paid', {
    id: unique('inpay'),
    object: 'invoice_payment',
    invoice: invoiceId,
    payment: { type: 'payment_intent', payment_intent: paymentIntentId },
  });

/** A PaymentIntent that was paid with the Payment Element, or captured. */
export const paymentIntentSucceeded = ({ metadata, paymentIntentId = unique('pi'), amount = 39_900 }: Payment) =>
  event('payment_intent.succeeded', {
    id: paymentIntentId,
    object: 'payment_intent',
    amount,
    amount_received: amount,
    currency: 'usd',
    metadata,
  });

/** `released`: what was authorized beyond the amount that was captured. */
type Charge = { chargeId?: string; paymentIntentId: string; charged?: number; released?: number };

/** `refunded` is cumulative. Stripe counts what a capture released as refunded. */
export const chargeRefunded = ({
  chargeId = unique('ch'),
  paymentIntentId,
  charged = 1900,
  released = 0,
  refunded,
}: Charge & { refunded: number }) =>
  event('charge.refunded', {
    id: chargeId,
    object: 'charge',
    amount: charged + released,
    amount_captured: charged,
    amount_refunded: refunded + released,
    currency: 'usd',
    payment_intent: paymentIntentId,
    metadata: {},
  });

export const refundFailed = ({ chargeId = unique('ch'), paymentIntentId, amount }: Charge & { amount: number }) =>
  event('refund.failed', {
    id: unique('re'),
    object: 'refund',
    amount,
    status: 'failed',
    charge: chargeId,
    payment_intent: paymentIntentId,
  });

export const dispute = (
  status: 'needs_response' | 'lost' | 'won',
  {
    disputeId = unique('dp'),
    paymentIntentId,
    amount = 1900,
    currency = 'usd',
  }: { disputeId?: string; paymentIntentId: string; amount?: number; currency?: string },
) =>
  event(status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed', {
    id: disputeId,
    object: 'dispute',
    amount,
    currency,
    status,
    charge: unique('ch'),
    payment_intent: paymentIntentId,
  });

/** Events as they happen, by default one second after the other. */
export const inSequence = (events: StripeEvent[], seconds = 1): StripeEvent[] =>
  events.map((event, index) => ({ ...event, created: 1_790_000_000 + index * seconds }));

const secret = () => process.env.SVC_STRIPE_WEBHOOK_SECRET ?? '';

export const signatureOf = (payload: string, { key = secret(), timestamp = Math.floor(Date.now() / 1000) } = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp });
