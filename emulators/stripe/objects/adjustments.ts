// Corrections of invoices: items that wait for the next one, and credit notes for an issued one.
import { createId } from '../../core/ids';
import { isDiscountable } from '../pricing/taxes';
import type { ApiObject } from '../wire';
import { build } from './build';
import type { InvoiceLine } from './invoices';

type NewInvoiceItem = Omit<InvoiceLine, 'invoiceItem' | 'metadata'> & {
  customer: ApiObject<'customer'>;
  currency: string;
  subscription: string | null;
  metadata: Record<string, string>;
};

export function buildInvoiceItem(given: NewInvoiceItem, now: number): ApiObject<'invoiceitem'> {
  const { price, quantity, subscription, subscriptionItem } = given;
  return build('invoiceitem', {
    id: createId('ii', 24),
    amount: given.amount,
    currency: given.currency,
    customer: given.customer.id,
    date: now,
    description: given.description,
    discountable: isDiscountable(given),
    discounts: [],
    metadata: given.metadata,
    parent: subscription
      ? {
          subscription_details: { subscription, ...(subscriptionItem && { subscription_item: subscriptionItem }) },
          type: 'subscription_details',
        }
      : null,
    period: given.period,
    pricing: price && {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    proration: given.isProration,
    proration_details: { credited_items: null, discount_amounts: [] },
    quantity,
    quantity_decimal: String(quantity),
    tax_rates: given.taxRates,
    test_clock: given.customer.test_clock,
  });
}

type CreditLine = ApiObject<'credit_note'>['lines']['data'][number];

type NewCreditNote = {
  invoice: ApiObject<'invoice'>;
  /** With tax. */
  amount: number;
  tax: number;
  line: { id: string; description: string | null } | null;
  prePayment: number;
  postPayment: number;
  outOfBand: number;
  memo: string | null;
  reason: ApiObject<'credit_note'>['reason'];
  metadata: Record<string, string>;
  sequence: number;
};

/** A credit note with one line: for a line of its invoice, or for an amount. */
export function buildCreditNote(given: NewCreditNote, now: number): ApiObject<'credit_note'> {
  const { invoice, amount, tax } = given;
  const id = createId('cn', 24);
  const untaxed = amount - tax;
  const type = given.prePayment === 0 ? 'post_payment' : given.postPayment === 0 ? 'pre_payment' : 'mixed';
  return build('credit_note', {
    id,
    amount,
    amount_shipping: 0,
    created: now,
    currency: invoice.currency,
    customer: invoice.customer ?? '',
    discount_amount: 0,
    discount_amounts: [],
    effective_at: now,
    invoice: invoice.id,
    lines: {
      object: 'list',
      data: [buildCreditLine(given, untaxed)],
      has_more: false,
      url: `/v1/credit_notes/${id}/lines`,
    },
    memo: given.memo,
    metadata: given.metadata,
    number: `${invoice.number}-CN-${String(given.sequence).padStart(2, '0')}`,
    out_of_band_amount: given.outOfBand || null,
    pdf: '',
    post_payment_amount: given.postPayment,
    pre_payment_amount: given.prePayment,
    pretax_credit_amounts: [],
    reason: given.reason,
    refunds: [],
    status: 'issued',
    subtotal: untaxed,
    subtotal_excluding_tax: untaxed,
    total: amount,
    total_excluding_tax: untaxed,
    total_taxes: tax === 0 ? [] : taxesOf(invoice, tax, untaxed),
    type,
  });
}

const buildCreditLine = ({ line, invoice }: NewCreditNote, amount: number): CreditLine => ({
  id: createId('cnli', 24),
  object: 'credit_note_line_item',
  amount,
  description: line?.description ?? `Credit for invoice ${invoice.number}`,
  discount_amount: 0,
  discount_amounts: [],
  ...(line && { invoice_line_item: line.id }),
  livemode: false,
  metadata: {},
  pretax_credit_amounts: [],
  quantity: 1,
  tax_rates: [],
  taxes: [],
  type: line ? 'invoice_line_item' : 'custom_line_item',
  unit_amount: amount,
  unit_amount_decimal: String(amount),
});

/** A credit note names one tax, the first of its invoice. */
function taxesOf({ total_taxes: taxes }: ApiObject<'invoice'>, amount: number, taxable: number) {
  const [first] = taxes ?? [];
  return first ? [{ ...first, amount, taxable_amount: taxable }] : [];
}
