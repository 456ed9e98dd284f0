import 'server-only';
import { emitEvent } from '../emit-event';
import { buildInvoice, type NewInvoice } from '../objects/invoice';
import { buildInvoicePayment } from '../objects/invoice-payment';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

/** Writes an invoice and finalises it at once. */
export async function issueInvoice(store: Store, given: NewInvoice): Promise<ApiObject<'invoice'>> {
  const invoice = await store.insert(buildInvoice(given, store.now));
  given.customer.next_invoice_sequence = (given.customer.next_invoice_sequence ?? 1) + 1;
  await store.save(given.customer);
  emitEvent(store, 'invoice.created', invoice);
  emitEvent(store, 'invoice.finalized', invoice);
  return invoice;
}

/** Marks it as paid; by this PaymentIntent, or by none where nothing was due. */
export async function settleInvoice(store: Store, invoice: ApiObject<'invoice'>, paymentIntent: string | null) {
  invoice.attempted = true;
  invoice.auto_advance = false;
  invoice.status = 'paid';
  invoice.status_transitions.paid_at = store.now;
  invoice.next_payment_attempt = null;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.webhooks_delivered_at = store.now;
  if (paymentIntent) invoice.attempt_count += 1;
  await store.save(invoice);
  if (paymentIntent) {
    const payment = await store.insert(buildInvoicePayment(invoice, paymentIntent, store.now));
    emitEvent(store, 'invoice_payment.paid', payment);
  }
  emitEvent(store, 'invoice.paid', invoice);
  emitEvent(store, 'invoice.payment_succeeded', invoice);
}

/** Records an attempt to collect that failed. `nextAttempt` is null when Stripe gives up. */
export async function failInvoice(store: Store, invoice: ApiObject<'invoice'>, nextAttempt: number | null) {
  invoice.attempted = true;
  invoice.attempt_count += 1;
  invoice.next_payment_attempt = nextAttempt;
  await store.save(invoice);
  emitEvent(store, 'invoice.payment_failed', invoice);
}
