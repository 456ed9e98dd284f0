import { newId } from '../api/new-id';
import { taxesByRate, taxLines, totalsOf } from '../billing/taxes';
import type { ApiObject } from '../wire';
import { buildLine, buildTax, type InvoiceLine } from './invoice-line';

export type NewInvoice = {
  customer: ApiObject<'customer'>;
  subscription: ApiObject<'subscription'> | null;
  billingReason: ApiObject<'invoice'>['billing_reason'];
  currency: string;
  lines: InvoiceLine[];
  discount: { id: string; amount: number } | null;
  metadata: Record<string, string>;
};

/**
 * An invoice that is open and asks for its total. It carries a snapshot of the subscription's metadata: what is changed
 * on the subscription later does not reach it.
 */
export function buildInvoice(given: NewInvoice, now: number): ApiObject<'invoice'> {
  const { customer, subscription } = given;
  const id = newId('in');
  const discount = given.discount?.amount ?? 0;
  const taxed = taxLines(given.lines, discount);
  const { subtotal, tax, total } = totalsOf(given.lines, discount);
  const due = Math.max(total, 0);
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Larkdesk',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: given.billingReason,
    collection_method: 'charge_automatically',
    created: now,
    currency: given.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: given.discount ? [given.discount.id] : [],
    due_date: null,
    effective_at: now,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: given.lines.map((line, index) =>
        buildLine({ invoice: id, currency: given.currency, subscription }, line, taxed[index]?.taxes ?? []),
      ),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: given.metadata,
    next_payment_attempt: null,
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(customer.next_invoice_sequence ?? 1).padStart(4, '0')}`,
    on_behalf_of: null,
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
          type: 'subscription_details',
        }
      : null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'open',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal - totalsOf(given.lines, 0).inclusiveTax,
    test_clock: null,
    total,
    total_discount_amounts: given.discount ? [{ amount: given.discount.amount, discount: given.discount.id }] : [],
    total_excluding_tax: total - tax,
    total_pretax_credit_amounts: [],
    total_taxes: taxesByRate(taxed).map(buildTax),
    webhooks_delivered_at: null,
  };
}
