// The payment of an invoice: the link to the PaymentIntent that is to pay it, which the invoice itself does not name.
import { buildInvoicePayment } from '../objects/invoices';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

type Invoice = ApiObject<'invoice'>;

/** Makes this PaymentIntent the one that is to pay the invoice. */
export async function linkIntent(store: Store, invoice: Invoice, paymentIntent: string): Promise<void> {
  await store.insert(buildInvoicePayment(invoice, paymentIntent, store.now));
}

/** The requested and charged amount follows what remains of the invoice. */
export async function requestRemaining(store: Store, invoice: Invoice): Promise<void> {
  const { amount_remaining: amount } = invoice;
  const payment = await paymentOf(store, invoice.id);
  if (payment) await store.save({ ...payment, amount_requested: amount });
  const intent = amount > 0 ? await intentFor(store, invoice) : null;
  if (intent?.status.startsWith('requires_')) await store.save({ ...intent, amount });
}

/** The payment has paid the invoice. */
export async function completePayment(store: Store, invoice: Invoice): Promise<void> {
  const payment = await paymentOf(store, invoice.id);
  if (!payment) return;
  payment.status = 'paid';
  payment.amount_paid = invoice.amount_paid;
  payment.status_transitions.paid_at = store.now;
  await store.save(payment);
  store.emit('invoice_payment.paid', payment);
}

/** Cancels the link between the invoice and its payment; the PaymentIntent is unchanged. */
export async function cancelPayment(store: Store, invoice: Invoice): Promise<void> {
  const payment = await paymentOf(store, invoice.id);
  if (!payment) return;
  payment.status = 'canceled';
  payment.status_transitions.canceled_at = store.now;
  await store.save(payment);
}

/** The PaymentIntent of the payment of an invoice, or of the attempts at it, or null. */
export async function paymentIntentOf(store: Store, invoice: string): Promise<string | null> {
  return (await paymentOf(store, invoice))?.payment.payment_intent ?? null;
}

export async function intentFor(store: Store, { id: invoice }: Invoice): Promise<ApiObject<'payment_intent'> | null> {
  const id = await paymentIntentOf(store, invoice);
  return id ? store.get('payment_intent', id) : null;
}

/** Whether the invoice is being paid by a debit that has not cleared yet. */
export const isProcessing = async (store: Store, invoice: Invoice): Promise<boolean> =>
  (await intentFor(store, invoice))?.status === 'processing';

/** Whether the invoice waits for a debit to clear, or for the customer to confirm a payment. */
export async function isAwaited(store: Store, invoice: Invoice): Promise<boolean> {
  const status = (await intentFor(store, invoice))?.status;
  return status === 'processing' || status === 'requires_action';
}

/** The ID of the invoice that a PaymentIntent is for, or null. */
export async function invoiceOf(store: Store, paymentIntent: string): Promise<string | null> {
  const [payment] = await store.all('invoice_payment', { payment: { payment_intent: paymentIntent } });
  return payment?.invoice ?? null;
}

/** Whether a PaymentIntent belongs to an invoice that it has not paid yet. */
export async function isForInvoice(store: Store, paymentIntent: string): Promise<boolean> {
  const open = { status: 'open', payment: { payment_intent: paymentIntent } };
  return (await store.all('invoice_payment', open)).length > 0;
}

async function paymentOf(store: Store, invoice: string): Promise<ApiObject<'invoice_payment'> | null> {
  const [payment] = await store.all('invoice_payment', { invoice });
  return payment ?? null;
}
