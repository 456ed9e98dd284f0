import ENABLED_EVENTS from './schema/enabled-events.json';

const ENABLED = new Set(ENABLED_EVENTS);

/** Whether an endpoint can subscribe to `name`: any event that Stripe has, also one that is not emitted here, or `*`. */
export const isEnabledEvent = (name: string): boolean => ENABLED.has(name);

/** Every event that this account emits; a test compares them with the README. */
export const EVENT_TYPES = [
  'charge.captured',
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'charge.failed',
  'charge.pending',
  'charge.refund.updated',
  'charge.refunded',
  'charge.succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'credit_note.created',
  'credit_note.voided',
  'customer.created',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.updated',
  'customer.updated',
  'invoice.created',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_succeeded',
  'invoice.updated',
  'invoice.voided',
  'invoice_payment.paid',
  'invoiceitem.created',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.created',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.succeeded',
  'payment_method.attached',
  'payment_method.detached',
  'price.created',
  'price.updated',
  'product.created',
  'product.deleted',
  'product.updated',
  'refund.created',
  'refund.failed',
  'refund.updated',
  'test_helpers.test_clock.ready',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
