// A webhook's shape follows its endpoint's API version. Before 2025-03-31 (Basil) invoices named their subscription,
// its metadata and their PaymentIntent themselves, and subscriptions their period.
import type { WireEvent } from './wire';

const BASIL = '2025-03-31';

type Fields = Record<string, unknown>;
type Tax = { amount: number; tax_behavior: string; tax_rate_details: { tax_rate: string } | null };

/**
 * The event as an endpoint at this version gets it. `related` are the events of the same moment, in which an invoice's
 * payment is found.
 */
export function inShapeOf(event: WireEvent, apiVersion: string | null, related: WireEvent[]): WireEvent {
  if (!apiVersion) return event;
  const shaped = { ...event, api_version: apiVersion };
  if (apiVersion >= BASIL) return shaped;
  const object = event.data.object as Fields;
  return { ...shaped, data: { ...event.data, object: olderObject(object, related) } };
}

function olderObject(object: Fields, related: WireEvent[]): Fields {
  if (object.object === 'invoice') return olderInvoice(object, related);
  return object.object === 'subscription' ? olderSubscription(object) : object;
}

function olderInvoice({ parent, total_taxes, ...invoice }: Fields, related: WireEvent[]): Fields {
  const details = (parent as { subscription_details?: { metadata: unknown; subscription: string } } | null)
    ?.subscription_details;
  const taxes = (total_taxes ?? []) as Tax[];
  return {
    ...invoice,
    paid: invoice.status === 'paid',
    payment_intent: paymentIntentOf(String(invoice.id), related),
    subscription: details?.subscription ?? null,
    subscription_details: details ? { metadata: details.metadata } : null,
    tax: taxes.length > 0 ? taxes.reduce((sum, { amount }) => sum + amount, 0) : null,
    total_tax_amounts: taxes.map(({ amount, tax_behavior, tax_rate_details: details }) => ({
      amount,
      inclusive: tax_behavior === 'inclusive',
      tax_rate: details?.tax_rate,
    })),
  };
}

function olderSubscription(subscription: Fields): Fields {
  const { data } = subscription.items as { data: { current_period_start: number; current_period_end: number }[] };
  return {
    ...subscription,
    current_period_start: data[0]?.current_period_start,
    current_period_end: data[0]?.current_period_end,
  };
}

function paymentIntentOf(invoice: string, related: WireEvent[]): string | null {
  for (const { data } of related) {
    const object = data.object as { object?: string; invoice?: string; payment?: { payment_intent?: string } };
    if (object.object === 'invoice_payment' && object.invoice === invoice)
      return object.payment?.payment_intent ?? null;
  }
  return null;
}
