import { newId } from '../api/new-id';
import type { ApiObject } from '../wire';

/** What links an invoice to the PaymentIntent that paid it; since 2025 nothing else does. */
export function buildInvoicePayment(
  invoice: ApiObject<'invoice'>,
  paymentIntent: string,
  now: number,
): ApiObject<'invoice_payment'> {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: invoice.total,
    amount_requested: invoice.total,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: paymentIntent, type: 'payment_intent' },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: now },
  };
}
