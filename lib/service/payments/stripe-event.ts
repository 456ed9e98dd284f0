import { z } from 'zod';
import { isOpaqueId, searchableId } from '../clean-input';
import { dropField } from '../log';
import type { PaymentFact, PaymentMetadata } from './payment';

// Reads what each Stripe event says about a payment, in the shapes of old and new API versions: an event has the shape of its
// endpoint's version, not the SDK's.

/** An optional field that cannot be read never costs the sale. */
const drop = (field: string) => () => dropField(field);

/** Stripe's IDs have at most 255 characters. An index refuses longer text, and the event would be sent again for days. */
const id = z.string().regex(/^[!-~]{1,255}$/);
/** An ID, or the object itself if it is expanded. */
const reference = z
  .union([id, z.object({ id }).transform((object) => object.id)])
  .nullish()
  .transform((value) => value ?? null);
const cents = z.int();
/** `usd`; stablecoins have four letters. It is part of the totals' keys. */
const currency = z.string().regex(/^[a-z]{3,8}$/i);
const metadata = z.record(z.string(), z.string()).nullish();
const amounts = z.array(z.object({ amount: cents })).nullish();

const sessionSchema = z.object({
  id,
  payment_status: z.string(),
  amount_total: cents.nullish(),
  total_details: z.object({ amount_tax: cents.nullish() }).nullish(),
  currency: currency.nullish(),
  invoice: reference,
  payment_intent: reference,
  subscription: reference.catch(drop('subscription')),
  metadata,
});

const subscriptionDetails = z.object({ metadata, subscription: reference.catch(drop('subscription')) }).nullish();

// Two shapes: with `parent` since the Basil API versions, and the older one with `subscription_details` and `tax`.
const invoiceSchema = z.object({
  id,
  amount_paid: cents,
  amount_due: cents.nullish(),
  paid_out_of_band: z.boolean().nullish(),
  total: cents.nullish(),
  currency,
  billing_reason: z.string().nullish().catch(drop('billing_reason')),
  metadata,
  parent: z.object({ subscription_details: subscriptionDetails }).nullish(),
  subscription_details: subscriptionDetails,
  subscription: reference.catch(drop('subscription')),
  payment_intent: reference,
  total_taxes: amounts,
  total_tax_amounts: amounts,
  tax: cents.nullish(),
});

const paymentIntentSchema = z.object({
  id,
  amount: cents,
  amount_received: cents,
  currency,
  invoice: reference,
  metadata,
  amount_details: z
    .object({ tax: z.object({ total_tax_amount: cents.nullish() }).nullish() })
    .nullish()
    .catch(drop('amount_details')),
});

const invoicePaymentSchema = z.object({
  invoice: reference,
  payment: z.object({ payment_intent: reference }).nullish(),
});

const chargeSchema = z.object({
  id,
  amount: cents,
  amount_captured: cents.nullish(),
  amount_refunded: cents,
  payment_intent: reference,
  invoice: reference,
});

const refundSchema = z.object({
  id,
  amount: cents,
  status: z.string().nullish(),
  charge: reference,
  payment_intent: reference,
});

const disputeSchema = z.object({
  id,
  amount: cents,
  currency: currency.nullish(),
  status: z.string(),
  payment_intent: reference,
  balance_transactions: amounts.catch(drop('balance_transactions')),
  payment_method_details: z
    .object({ card: z.object({ case_type: z.string() }).nullish() })
    .nullish()
    .catch(drop('payment_method_details')),
});

const eventSchema = z.object({
  id,
  type: z.string(),
  created: z.number(),
  livemode: z.boolean(),
  account: id.nullish(),
  data: z.object({ object: z.unknown() }),
});

/** What an event says; `unreadable` names the fields that do not match the schemas. */
type EventFact =
  | PaymentFact
  | { kind: 'ignored'; reason: 'not_a_payment_event' | 'no_payment' }
  | { kind: 'unreadable'; fields: string[] };

export type PaymentEvent = {
  id: string;
  type: string;
  livemode: boolean;
  /** null: the account that the endpoint itself belongs to. */
  accountId: string | null;
  fact: EventFact;
};

type Envelope = { eventId: string; occurredAt: Date };

const notAPaymentEvent = { kind: 'ignored', reason: 'not_a_payment_event' } as const;
// A charge without a PaymentIntent: no sale is recorded under it.
const namesNoPayment = { kind: 'ignored', reason: 'no_payment' } as const;
const unreadable = (fields: string[]) => ({ kind: 'unreadable', fields }) as const;

/**
 * What an event says (docs/decisions/0007). It decides nothing: `decidePayment` does, from all facts of a payment.
 * @param body a verified and parsed event
 * @returns null if it is not an event
 */
export function readPaymentEvent(body: unknown): PaymentEvent | null {
  const parsed = eventSchema.safeParse(body);
  if (!parsed.success) return null;
  const { id, type, created, livemode, account, data } = parsed.data;
  const fact = readFact(type, data.object, { eventId: id, occurredAt: new Date(created * 1000) });
  return { id, type, livemode, accountId: account ?? null, fact };
}

function readFact(type: string, object: unknown, envelope: Envelope): EventFact {
  const read = <T extends z.ZodType>(schema: T, toFact: (value: z.output<T>, at: Envelope) => EventFact) => {
    const parsed = schema.safeParse(object);
    if (parsed.success) return toFact(parsed.data, envelope);
    return unreadable(parsed.error.issues.map(({ path }) => path.join('.')));
  };
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return read(sessionSchema, sessionFact);
    case 'invoice.paid':
      return read(invoiceSchema, invoiceFact);
    case 'payment_intent.succeeded':
      return read(paymentIntentSchema, paymentIntentFact);
    case 'invoice_payment.paid':
      return read(invoicePaymentSchema, linkFact);
    case 'charge.refunded':
      return read(chargeSchema, refundedFact);
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.refund.updated':
      return read(refundSchema, failedRefundFact);
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return read(disputeSchema, disputeFact);
    default:
      return notAPaymentEvent;
  }
}

// A session that is not paid yet still says who pays: with manual capture no second session event follows.
function sessionFact(session: z.output<typeof sessionSchema>, { occurredAt }: Envelope): EventFact {
  const totalCents = session.amount_total ?? 0;
  const isPaid = session.payment_status === 'paid';
  // Paid, but without a key to record it under: if it were acknowledged, the sale would be lost.
  if (!session.invoice && !session.payment_intent && isPaid && totalCents > 0) return unreadable(['payment_intent']);
  return {
    kind: 'session',
    id: session.id,
    rank: isPaid ? 1 : 0,
    paymentIntentId: session.payment_intent,
    invoiceId: session.invoice,
    occurredAt,
    paidCents: isPaid ? totalCents : null,
    totalCents,
    taxCents: session.total_details?.amount_tax ?? 0,
    currency: session.currency ?? '',
    subscriptionId: session.subscription,
    isRecurring: false,
    metadata: readMetadata(session.metadata),
  };
}

/** docs/decisions/0007. */
const RENEWALS = new Set<string | null | undefined>(['subscription_cycle', 'subscription_threshold']);

function invoiceFact(invoice: z.output<typeof invoiceSchema>, { occurredAt }: Envelope): EventFact {
  const subscription = invoice.parent?.subscription_details ?? invoice.subscription_details;
  // §4: a renewal is attributed by the subscription's metadata, a separate invoice by its own.
  const given = [subscription?.metadata, invoice.metadata];
  const snapshot =
    given.find((metadata) => metadata?.program_id) ??
    given.find((metadata) => metadata?.svc_click_id || metadata?.svc_customer_key);
  const paidCents = invoice.amount_paid || (invoice.paid_out_of_band ? (invoice.amount_due ?? 0) : 0);
  const subscriptionId = subscription?.subscription ?? invoice.subscription;
  // Each known API version names the subscription. A version that has moved it has moved its metadata, too: if its invoices were
  // acknowledged, every renewal would be lost.
  const isOfSubscription = invoice.billing_reason?.startsWith('subscription');
  if (isOfSubscription && paidCents > 0 && !subscriptionId && !snapshot) return unreadable(['subscription']);
  return {
    kind: 'invoice',
    id: invoice.id,
    rank: 1,
    paymentIntentId: invoice.payment_intent,
    invoiceId: invoice.id,
    occurredAt,
    paidCents,
    totalCents: invoice.total ?? paidCents,
    taxCents: sum(invoice.total_taxes ?? invoice.total_tax_amounts) || (invoice.tax ?? 0),
    currency: invoice.currency,
    subscriptionId,
    isRecurring: RENEWALS.has(invoice.billing_reason),
    metadata: readMetadata(snapshot),
  };
}

function paymentIntentFact(intent: z.output<typeof paymentIntentSchema>, { occurredAt }: Envelope): PaymentFact {
  return {
    kind: 'payment_intent',
    id: intent.id,
    rank: 1,
    paymentIntentId: intent.id,
    invoiceId: intent.invoice,
    occurredAt,
    paidCents: intent.amount_received,
    totalCents: intent.amount,
    taxCents: intent.amount_details?.tax?.total_tax_amount ?? 0,
    currency: intent.currency,
    subscriptionId: null,
    isRecurring: false,
    metadata: readMetadata(intent.metadata),
  };
}

function linkFact({ invoice, payment }: z.output<typeof invoicePaymentSchema>, { occurredAt }: Envelope) {
  const paymentIntentId = payment?.payment_intent ?? null;
  if (!paymentIntentId || !invoice) return notAPaymentEvent;
  return {
    kind: 'link',
    id: `${paymentIntentId} ${invoice}`,
    rank: 1,
    paymentIntentId,
    invoiceId: invoice,
    occurredAt,
  } as const;
}

// `amount_refunded` is cumulative. `previous_attributes` is guaranteed only on `*.updated` events, so it is not read.
function refundedFact(charge: z.output<typeof chargeSchema>, { eventId, occurredAt }: Envelope): EventFact {
  if (!charge.payment_intent && !charge.invoice) return namesNoPayment;
  return {
    kind: 'charge_refunded',
    id: eventId,
    rank: 1,
    paymentIntentId: charge.payment_intent,
    invoiceId: charge.invoice,
    occurredAt,
    chargeId: charge.id,
    chargedCents: charge.amount_captured || charge.amount,
    refundedCents: refundedCents(charge),
  };
}

// A partial capture releases the rest, and a canceled authorization everything. That was never paid, but Stripe counts it as refunded.
function refundedCents({ amount, amount_captured, amount_refunded }: z.output<typeof chargeSchema>): number {
  const releasedCents = Math.max(0, amount - (amount_captured ?? amount));
  return amount_refunded < releasedCents ? amount_refunded : amount_refunded - releasedCents;
}

// A refund that fails, or is canceled, returns its amount to the account's balance.
function failedRefundFact(refund: z.output<typeof refundSchema>, { occurredAt }: Envelope): EventFact {
  if (refund.status !== 'failed' && refund.status !== 'canceled') return notAPaymentEvent;
  if (!refund.charge || !refund.payment_intent) return namesNoPayment;
  return {
    kind: 'refund_failed',
    id: refund.id,
    rank: 1,
    paymentIntentId: refund.payment_intent,
    invoiceId: null,
    occurredAt,
    chargeId: refund.charge,
    amountCents: refund.amount,
  };
}

function disputeFact(dispute: z.output<typeof disputeSchema>, { occurredAt }: Envelope): EventFact {
  if (!dispute.payment_intent) return namesNoPayment;
  const state = disputeState(dispute);
  return {
    kind: 'dispute',
    id: dispute.id,
    rank: state === 'open' ? 0 : 1,
    paymentIntentId: dispute.payment_intent,
    invoiceId: null,
    occurredAt,
    amountCents: dispute.amount,
    currency: dispute.currency ?? null,
    state,
  };
}

function disputeState(dispute: z.output<typeof disputeSchema>): 'open' | 'lost' | 'won' {
  switch (dispute.status) {
    case 'lost':
    case 'won':
      return dispute.status;
    case 'warning_closed': // an inquiry moves no money unless it becomes a dispute
      return 'won';
    case 'prevented':
      return isRefunded(dispute) ? 'lost' : 'won';
    default:
      return 'open';
  }
}

// The network blocked it, or resolved it by a refund. Its balance transactions say which or, while there are none, its case type.
function isRefunded({ balance_transactions, payment_method_details }: z.output<typeof disputeSchema>): boolean {
  if (balance_transactions?.length) return sum(balance_transactions) < 0;
  return payment_method_details?.card?.case_type !== 'block';
}

const sum = (amounts: Array<{ amount: number }> | null | undefined) =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

/**
 * IDs as they were sent, under the API's rules: an invalid click ID is an unknown click, other invalid IDs are dropped. Blank means
 * absent: some integrations send an empty `svc_click_id`.
 */
function readMetadata(metadata: Record<string, string> | null | undefined): PaymentMetadata {
  const sent = (name: string) => (metadata?.[name]?.trim() && metadata[name]) || null;
  const readId = (name: string) => {
    const id = sent(name);
    return id === null || isOpaqueId(id) ? id : dropField(name);
  };
  const clickId = sent('svc_click_id');
  return {
    programId: readId('program_id'),
    clickId: clickId && searchableId(clickId),
    customerKey: readId('svc_customer_key'),
  };
}
