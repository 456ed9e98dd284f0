import { z } from 'zod';

/** A field that Stripe sends as an ID, or as the object itself where it is expanded. */
const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((value) => value ?? null);
const cents = z.number().int();
const metadata = z.record(z.string(), z.string()).nullish();
const taxes = z.array(z.object({ amount: cents })).nullish();

const sessionSchema = z.object({
  mode: z.string(),
  payment_status: z.string(),
  amount_total: cents.nullish(),
  total_details: z.object({ amount_tax: cents.nullish() }).nullish(),
  currency: z.string().nullish(),
  invoice: reference,
  payment_intent: reference,
  subscription: reference,
  metadata,
});

const subscriptionDetails = z.object({ metadata, subscription: reference.optional() }).nullish();

// Two shapes: with `parent` since the Basil API versions, and the older one with `subscription_details` and `tax`.
const invoiceSchema = z.object({
  id: z.string(),
  amount_paid: cents,
  currency: z.string(),
  billing_reason: z.string().nullish(),
  metadata,
  parent: z.object({ subscription_details: subscriptionDetails }).nullish(),
  subscription_details: subscriptionDetails,
  subscription: reference,
  payment_intent: reference,
  total_taxes: taxes,
  total_tax_amounts: taxes,
  tax: cents.nullish(),
});

const invoicePaymentSchema = z.object({
  invoice: reference,
  payment: z.object({ payment_intent: reference }).nullish(),
});

const chargeSchema = z.object({
  id: z.string(),
  amount: cents,
  amount_captured: cents.nullish(),
  amount_refunded: cents,
  currency: z.string(),
  payment_intent: reference,
  invoice: reference,
});

const stripeEvent = z.object({
  id: z.string(),
  type: z.string(),
  created: z.number(),
  livemode: z.boolean(),
  account: z.string().nullish(),
  data: z.object({ object: z.unknown(), previous_attributes: z.record(z.string(), z.unknown()).nullish() }),
});

/** §2, checkout metadata, as it arrives with a payment. */
export type PaymentMetadata = { programId: string | null; clickId: string | null; customerKey: string | null };

export type Payment = {
  kind: 'payment';
  /** The invoice ID where there is an invoice, else the PaymentIntent ID (docs/decisions/0016). */
  transactionId: string;
  /** Minor units: what was paid, less tax. */
  amountCents: number;
  currency: string;
  subscriptionId: string | null;
  isRecurring: boolean;
  metadata: PaymentMetadata;
  link: PaymentLink | null;
};

export type PaymentLink = { paymentIntentId: string; invoiceId: string };

export type ChargeRefund = {
  kind: 'refund';
  chargeId: string;
  chargedCents: number;
  previousRefundedCents: number;
  refundedCents: number;
  currency: string;
  paymentIntentId: string | null;
  invoiceId: string | null;
};

export type PaymentFact =
  | Payment
  | ChargeRefund
  | { kind: 'link'; link: PaymentLink }
  | { kind: 'ignored'; reason: 'not_a_payment_event' | 'unpaid' | 'zero_amount' | 'unreadable' };

export type PaymentEventEnvelope = {
  id: string;
  type: string;
  occurredAt: Date;
  livemode: boolean;
  accountId: string | null;
};

/**
 * What a Stripe event records: the table of docs/decisions/0016. Reads the shapes of old and new API versions, since an
 * event's shape follows the endpoint's version.
 * @param body a parsed event, verified before
 */
export function readPaymentEvent(body: unknown): { envelope: PaymentEventEnvelope; fact: PaymentFact } | null {
  const parsed = stripeEvent.safeParse(body);
  if (!parsed.success) return null;
  const { id, type, created, livemode, account, data } = parsed.data;
  const envelope = { id, type, livemode, accountId: account ?? null, occurredAt: new Date(created * 1000) };
  return { envelope, fact: decidePaymentFact(type, data.object, data.previous_attributes ?? {}) };
}

function decidePaymentFact(type: string, object: unknown, previous: Record<string, unknown>): PaymentFact {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return read(sessionSchema, object, decideSession);
    case 'invoice.paid':
      return read(invoiceSchema, object, decideInvoice);
    case 'invoice_payment.paid':
      return read(invoicePaymentSchema, object, ({ invoice, payment }) => {
        const link = linkOf(payment?.payment_intent ?? null, invoice);
        return link ? { kind: 'link', link } : { kind: 'ignored', reason: 'not_a_payment_event' };
      });
    case 'charge.refunded':
      return read(chargeSchema, object, (refunded) => decideRefund(refunded, previous));
    default:
      return { kind: 'ignored', reason: 'not_a_payment_event' };
  }
}

function read<T extends z.ZodType>(
  schema: T,
  object: unknown,
  decide: (value: z.output<T>) => PaymentFact,
): PaymentFact {
  const parsed = schema.safeParse(object);
  return parsed.success ? decide(parsed.data) : { kind: 'ignored', reason: 'unreadable' };
}

// A subscription's first payment arrives here and as `invoice.paid`. Both carry the invoice ID, so it is one sale; and
// it attributes by the session's metadata where the subscription has none (§4: only renewals need those).
function decideSession(session: z.output<typeof sessionSchema>): PaymentFact {
  if (session.payment_status !== 'paid') return { kind: 'ignored', reason: 'unpaid' };
  const amountCents = (session.amount_total ?? 0) - (session.total_details?.amount_tax ?? 0);
  if (amountCents <= 0) return { kind: 'ignored', reason: 'zero_amount' };
  const transactionId = session.invoice ?? session.payment_intent;
  if (!transactionId || !session.currency) return { kind: 'ignored', reason: 'unreadable' };
  return {
    kind: 'payment',
    transactionId,
    amountCents,
    currency: session.currency,
    subscriptionId: session.subscription,
    isRecurring: false,
    metadata: readMetadata(session.metadata),
    link: linkOf(session.payment_intent, session.invoice),
  };
}

function decideInvoice(invoice: z.output<typeof invoiceSchema>): PaymentFact {
  const tax = sum(invoice.total_taxes ?? invoice.total_tax_amounts) || (invoice.tax ?? 0);
  const amountCents = invoice.amount_paid - tax;
  if (amountCents <= 0) return { kind: 'ignored', reason: 'zero_amount' };
  const subscription = invoice.parent?.subscription_details ?? invoice.subscription_details;
  // §4: the subscription's metadata is what a renewal attributes by; an invoice of its own has its own.
  const snapshot = subscription?.metadata?.program_id ? subscription.metadata : invoice.metadata;
  return {
    kind: 'payment',
    transactionId: invoice.id,
    amountCents,
    currency: invoice.currency,
    subscriptionId: subscription?.subscription ?? invoice.subscription,
    isRecurring: invoice.billing_reason === 'subscription_cycle',
    metadata: readMetadata(snapshot),
    link: linkOf(invoice.payment_intent, invoice.id),
  };
}

function decideRefund(charge: z.output<typeof chargeSchema>, previous: Record<string, unknown>): PaymentFact {
  const before = typeof previous.amount_refunded === 'number' ? previous.amount_refunded : 0;
  if (charge.amount_refunded <= before) return { kind: 'ignored', reason: 'zero_amount' };
  return {
    kind: 'refund',
    chargeId: charge.id,
    chargedCents: charge.amount_captured || charge.amount,
    previousRefundedCents: before,
    refundedCents: charge.amount_refunded,
    currency: charge.currency,
    paymentIntentId: charge.payment_intent,
    invoiceId: charge.invoice,
  };
}

const sum = (amounts: Array<{ amount: number }> | null | undefined) =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

const linkOf = (paymentIntentId: string | null, invoiceId: string | null): PaymentLink | null =>
  paymentIntentId && invoiceId ? { paymentIntentId, invoiceId } : null;

/** Blank is absent: some integrations send an empty `svc_click_id`. */
function readMetadata(metadata: Record<string, string> | null | undefined): PaymentMetadata {
  const value = (name: string) => metadata?.[name]?.trim() || null;
  return { programId: value('program_id'), clickId: value('svc_click_id'), customerKey: value('svc_customer_key') };
}
