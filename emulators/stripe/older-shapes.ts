// A webhook's shape follows its endpoint's API version, a response's the request's. Before 2025-03-31 (Basil) invoices named their
// subscription, its metadata and their PaymentIntent themselves, lines and invoice items their price, PaymentIntents and charges
// their invoice, and subscriptions their period.
import { invoiceOf, paymentIntentOf } from './billing/invoice-payments';
import { buildPlan } from './objects/catalog';
import { changedFields, type Fields, restoreFields } from './previous-attributes';
import type { Store } from './store';
import type { ApiObject, WireEvent } from './wire';

const BASIL = '2025-03-31';

/** Whether this names a version of the API: a date, and a name from 2024-09-30 on. */
export const isApiVersion = (text: string): boolean => /^\d{4}-\d\d-\d\d(\.[a-z]+)?$/.test(text);

/** Whether an API version is older than the shapes of this account's objects. */
export const isBeforeBasil = (apiVersion: string): boolean => apiVersion < BASIL;

type Tax = { amount: number; tax_behavior: string; tax_rate_details: { tax_rate: string } | null };

/** The event as an endpoint at this version receives it. */
export async function inShapeOf(store: Store, event: WireEvent, apiVersion: string | null): Promise<WireEvent> {
  if (!apiVersion) return event;
  const shaped = { ...event, api_version: apiVersion };
  if (!isBeforeBasil(apiVersion)) return shaped;
  const { object, previous_attributes: previous } = event.data as { object: Fields; previous_attributes?: Fields };
  const after = (await inOlderShape(store, object)) as Fields;
  if (!previous) return { ...shaped, data: { object: after } };
  const before = (await inOlderShape(store, restoreFields(object, previous))) as Fields;
  return { ...shaped, data: { object: after, previous_attributes: changedFields(before, after) } };
}

/** A response in the older shape, with everything that is listed or expanded in it. */
export async function inOlderShape(store: Store, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((entry) => inOlderShape(store, entry)));
  if (value === null || typeof value !== 'object') return value;
  const fields = await Promise.all(
    Object.entries(value).map(async ([name, field]) => [name, await inOlderShape(store, field)] as const),
  );
  const object: Fields = Object.fromEntries(fields);
  return object.deleted ? object : olderObject(store, object);
}

async function olderObject(store: Store, object: Fields): Promise<Fields> {
  switch (object.object) {
    case 'charge':
      return { ...object, invoice: await invoiceOf(store, String(object.payment_intent)) };
    case 'invoice':
      return olderInvoice(store, object);
    case 'invoiceitem':
      return olderItem(store, object);
    case 'line_item':
      return olderLine(store, object);
    case 'payment_intent':
      return { ...object, invoice: await invoiceOf(store, String(object.id)) };
    case 'subscription':
      return olderSubscription(object);
    default:
      return object;
  }
}

async function olderInvoice(store: Store, { parent, total_taxes, ...invoice }: Fields): Promise<Fields> {
  const details = (parent as { subscription_details?: { metadata: unknown; subscription: string } } | null)
    ?.subscription_details;
  const paymentIntent = await paymentIntentOf(store, String(invoice.id));
  const taxes = olderTaxes(total_taxes);
  return {
    ...invoice,
    charge: paymentIntent && (await store.get('payment_intent', paymentIntent)).latest_charge,
    paid: invoice.status === 'paid',
    payment_intent: invoice.payment_intent ?? paymentIntent, // which may be expanded
    subscription: details?.subscription ?? null,
    subscription_details: details ? { metadata: details.metadata } : null,
    tax: taxes.length > 0 ? taxes.reduce((sum, { amount }) => sum + amount, 0) : null,
    total_tax_amounts: taxes,
  };
}

const olderTaxes = (taxes: unknown) =>
  ((taxes ?? []) as Tax[]).map(({ amount, tax_behavior, tax_rate_details: details }) => ({
    amount,
    inclusive: tax_behavior === 'inclusive',
    tax_rate: details?.tax_rate,
  }));

type LineDetails = { invoice_item: string | null; proration: boolean; subscription_item?: string };

async function olderLine(store: Store, { parent, pricing, taxes, ...line }: Fields): Promise<Fields> {
  const details = parent as Record<'subscription_item_details' | 'invoice_item_details', LineDetails | null>;
  const ofItem = details.subscription_item_details;
  return {
    ...line,
    ...(ofItem ?? details.invoice_item_details),
    ...(await olderPricing(store, pricing)),
    tax_amounts: olderTaxes(taxes),
    type: ofItem && !ofItem.proration ? 'subscription' : 'invoiceitem',
  };
}

async function olderItem(
  store: Store,
  { parent, pricing, proration_details: _newer, ...item }: Fields,
): Promise<Fields> {
  const details = (parent as { subscription_details?: { subscription: string } } | null)?.subscription_details;
  return {
    ...item,
    subscription: null,
    ...details,
    ...(await olderPricing(store, pricing)),
    unit_amount: Math.round(Number(item.amount) / Number(item.quantity)),
  };
}

/** The whole price, and the plan that it also was. */
async function olderPricing(store: Store, pricing: unknown) {
  const named = (pricing as { price_details?: { price: string | ApiObject<'price'> } } | null)?.price_details?.price;
  const price = typeof named === 'string' ? await store.get('price', named) : (named ?? null);
  return { price, plan: price?.recurring ? buildPlan(price) : null };
}

function olderSubscription(subscription: Fields): Fields {
  const { data } = subscription.items as { data: { current_period_start: number; current_period_end: number }[] };
  return {
    ...subscription,
    current_period_start: data[0]?.current_period_start,
    current_period_end: data[0]?.current_period_end,
  };
}
