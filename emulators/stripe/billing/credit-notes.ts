// Credit notes: less to pay on an open invoice, or something back on a paid one.
import { invalidRequest, missingParam } from '../errors';
import { buildCreditNote } from '../objects/adjustments';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { requestRemaining } from './invoice-payments';
import { announceStatus, changeBalance, recordPayment, subscriptionOf } from './invoices';
import { refundCharge } from './refunds';

type Invoice = ApiObject<'invoice'>;
type CreditNote = ApiObject<'credit_note'>;

type Wanted = {
  /** With tax, in minor units; else the amount of `line`. */
  amount?: number | undefined;
  /** A line of the invoice, whole or in part (without tax). */
  line?: { id: string; amount?: number | undefined } | undefined;
  creditAmount: number;
  refundAmount: number;
  outOfBandAmount: number;
  memo: string | null;
  reason: CreditNote['reason'];
  metadata: Record<string, string>;
};

/** Issues a credit note. On an open invoice it lowers what is due; on a paid one it goes to the customer's balance or card. */
export async function issueCreditNote(store: Store, invoice: Invoice, wanted: Wanted): Promise<CreditNote> {
  if (invoice.status !== 'open' && invoice.status !== 'paid') {
    throw invalidRequest('You can only create a credit note for an invoice that is open or paid.', {
      param: 'invoice',
    });
  }
  const { amount, tax, line } = creditOf(invoice, wanted);
  const earlier = await store.all('credit_note', { invoice: invoice.id });
  const issued = earlier.filter(({ status }) => status === 'issued');
  const credited = issued.reduce((sum, note) => sum + note.amount, 0);
  if (amount > invoice.total - credited) {
    throw invalidRequest(
      `The credit note's amount (${amount}) exceeds what is left of the invoice (${invoice.total - credited}).`,
      {
        param: 'amount',
      },
    );
  }
  const prePayment = invoice.status === 'open' ? Math.min(amount, invoice.amount_remaining) : 0;
  const postPayment = amount - prePayment;
  const { creditAmount, refundAmount, outOfBandAmount } = wanted;
  if (creditAmount + refundAmount + outOfBandAmount !== postPayment) {
    throw invalidRequest(
      `The sum of credit_amount, refund_amount and out_of_band_amount must equal the post payment amount (${postPayment}).`,
    );
  }
  const note = buildCreditNote(
    {
      invoice,
      amount,
      tax,
      line,
      prePayment,
      postPayment,
      outOfBand: outOfBandAmount,
      memo: wanted.memo,
      reason: wanted.reason,
      metadata: wanted.metadata,
      sequence: earlier.length + 1,
    },
    store.now,
  );
  if (creditAmount > 0) note.customer_balance_transaction = await creditBalance(store, invoice, note, creditAmount);
  if (refundAmount > 0) note.refunds = [await refundFor(store, invoice, refundAmount)];
  await store.insert(note);
  store.emit('credit_note.created', note);
  await lowerInvoice(store, invoice, { prePayment, postPayment });
  return note;
}

/** Takes back a credit note of an open invoice. */
export async function voidCreditNote(store: Store, note: CreditNote): Promise<CreditNote> {
  const invoice = await store.get('invoice', note.invoice);
  if (note.status === 'void' || note.post_payment_amount > 0 || invoice.status !== 'open') {
    throw invalidRequest('You can only void a credit note of an open invoice.');
  }
  note.status = 'void';
  note.voided_at = store.now;
  await store.save(note);
  store.emit('credit_note.voided', note);
  await lowerInvoice(store, invoice, { prePayment: -note.pre_payment_amount, postPayment: 0 });
  return note;
}

/** The amounts of a credit note. Tax has the same share as in the invoice. */
function creditOf(invoice: Invoice, { amount, line: wanted }: Wanted) {
  const total = invoice.total;
  const untaxed = invoice.total_excluding_tax ?? total;
  const line = wanted && invoice.lines.data.find(({ id }) => id === wanted.id);
  if (wanted && !line) {
    throw invalidRequest(`No such invoice line item: '${wanted.id}'`, { param: 'lines[0][invoice_line_item]' });
  }
  const gross = line ? Math.round(((wanted?.amount ?? line.amount) * total) / (invoice.subtotal || 1)) : (amount ?? 0);
  if (gross <= 0) {
    throw missingParam('amount');
  }
  const tax = total > 0 ? gross - Math.round((gross * untaxed) / total) : 0;
  return { amount: gross, tax, line: line ? { id: line.id, description: line.description } : null };
}

async function creditBalance(store: Store, invoice: Invoice, note: CreditNote, amount: number): Promise<string> {
  const customer = await store.get('customer', invoice.customer ?? '');
  const { currency } = invoice;
  const change = { amount: -amount, currency, type: 'credit_note', invoice: invoice.id, creditNote: note.id } as const;
  return (await changeBalance(store, customer, change)).id;
}

async function refundFor(store: Store, invoice: Invoice, amount: number): Promise<CreditNote['refunds'][number]> {
  const [payment] = await store.all('invoice_payment', { invoice: invoice.id, status: 'paid' });
  const intentId = payment?.payment.payment_intent;
  if (!intentId) throw invalidRequest('This invoice was not paid by a charge.', { param: 'refund_amount' });
  const { latest_charge: charge } = await store.get('payment_intent', intentId);
  const options = { amount, reason: null, metadata: {} };
  const refund = await refundCharge(store, await store.get('charge', charge ?? ''), options);
  return { amount_refunded: amount, payment_record_refund: null, refund: refund.id, type: 'refund' };
}

async function lowerInvoice(
  store: Store,
  invoice: Invoice,
  { prePayment, postPayment }: { prePayment: number; postPayment: number },
): Promise<void> {
  await store.update('invoice.updated', invoice, () => {
    invoice.amount_due -= prePayment;
    invoice.amount_remaining -= prePayment;
    invoice.pre_payment_credit_notes_amount += prePayment;
    invoice.post_payment_credit_notes_amount += postPayment;
  });
  if (prePayment !== 0) await requestRemaining(store, invoice);
  if (invoice.status === 'open' && invoice.amount_remaining === 0) {
    const subscription = await subscriptionOf(store, invoice);
    const status = subscription?.status;
    await recordPayment(store, subscription, invoice, 'other means');
    announceStatus(store, subscription, status);
  }
}
