// An invoice with its lines and taxes, and its payments.
import { createId } from '../../core/ids';
import { leastAmount } from '../pricing/limits';
import {
  discountOf,
  isDiscountable,
  type LineTax,
  type TaxedLine,
  taxesByRate,
  taxLines,
  totalsOf,
} from '../pricing/taxes';
import type { ApiObject } from '../wire';
import { build } from './build';

export type InvoiceLine = {
  /** Null if an invoice item has its own amount. */
  price: ApiObject<'price'> | null;
  quantity: number;
  amount: number;
  description: string;
  period: { start: number; end: number };
  subscriptionItem: string | null;
  /** The pending invoice item that it comes from. */
  invoiceItem: string | null;
  isProration: boolean;
  taxRates: ApiObject<'tax_rate'>[];
  /** Of the invoice item; null if the line has the metadata of the subscription. */
  metadata: Record<string, string> | null;
};

export type NewInvoice = {
  customer: ApiObject<'customer'>;
  subscription: ApiObject<'subscription'> | null;
  billingReason: ApiObject<'invoice'>['billing_reason'];
  currency: string;
  lines: InvoiceLine[];
  /** Of the period that a renewal ends; any other invoice is for a moment. */
  periodStart?: number | undefined;
  discount: { id: string; coupon: Pick<ApiObject<'coupon'>, 'amount_off' | 'percent_off'> } | null;
  metadata: Record<string, string>;
  hasAutomaticTax: boolean;
};

/** `url` is the address of the invoice's page. */
type IssuedBy = { seller: string; url: (id: string) => string; now: number };

/**
 * How much of a total is due now, and what is left of the customer's balance: negative is credit, positive is owed. A due
 * amount below the minimum charge is owed with the next invoice.
 */
export function applyBalance(total: number, balance: number, currency: string): { due: number; endingBalance: number } {
  const due = Math.max(total + balance, 0);
  if (total <= 0 || leastAmount(due, currency)) return { due: 0, endingBalance: balance + total };
  return { due, endingBalance: balance + total - due };
}

/**
 * An invoice that is open and asks for its total, less the customer's credit. It carries a snapshot of the subscription's
 * metadata: later changes of the subscription do not reach it.
 * @param startingBalance the customer's balance that applies to it
 */
export function buildInvoice(
  given: NewInvoice,
  startingBalance: number,
  { seller, url, now }: IssuedBy,
): ApiObject<'invoice'> {
  const { customer, subscription } = given;
  const id = createId('in', 24);
  const discountable = given.lines.reduce((sum, line) => sum + (isDiscountable(line) ? line.amount : 0), 0);
  const discount = discountOf(given.discount?.coupon ?? null, discountable);
  const taxed = taxLines(given.lines, discount);
  const { subtotal, tax, total } = totalsOf(given.lines, discount);
  const owner = { ...given, invoice: id };
  const { due, endingBalance } = applyBalance(total, startingBalance, given.currency);
  return build('invoice', {
    id,
    account_country: 'US',
    account_name: seller,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: given.hasAutomaticTax,
      liability: given.hasAutomaticTax ? { type: 'self' } : null,
      provider: given.hasAutomaticTax ? 'stripe' : null,
      status: given.hasAutomaticTax ? 'complete' : null,
    },
    billing_reason: given.billingReason,
    collection_method: 'charge_automatically',
    created: now,
    currency: given.currency,
    customer: customer.id,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_tax_rates: [],
    discounts: discountAmounts(given, discount).map((off) => off.discount),
    effective_at: now,
    ending_balance: endingBalance,
    hosted_invoice_url: url(id),
    invoice_pdf: null,
    issuer: { type: 'self' },
    lines: {
      object: 'list',
      data: given.lines.map((line, index) => buildLine(owner, line, taxed[index] ?? { discount: 0, taxes: [] })),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    metadata: given.metadata,
    number: `${customer.invoice_prefix}-${String(customer.next_invoice_sequence ?? 1).padStart(4, '0')}`,
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
          type: 'subscription_details',
        }
      : null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: given.periodStart ?? now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: startingBalance,
    status: 'open',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal - totalsOf(given.lines, 0).inclusiveTax,
    test_clock: customer.test_clock,
    total,
    total_discount_amounts: discountAmounts(given, discount),
    total_excluding_tax: total - tax,
    total_pretax_credit_amounts: pretaxCredits(given, discount),
    total_taxes: taxesByRate(taxed).map(buildTax),
  });
}

type Discounted = Pick<NewInvoice, 'discount'>;

/** What the discount takes off an invoice or a line. */
const discountAmounts = ({ discount }: Discounted, amount: number) =>
  discount && amount !== 0 ? [{ amount, discount: discount.id }] : [];

const pretaxCredits = (given: Discounted, amount: number) =>
  discountAmounts(given, amount).map((off) => ({ ...off, type: 'discount' as const }));

type Owner = Pick<NewInvoice, 'currency' | 'subscription' | 'discount'> & { invoice: string };
type Line = ApiObject<'invoice'>['lines']['data'][number];

function buildLine(owner: Owner, line: InvoiceLine, { discount, taxes }: TaxedLine): Line {
  const { invoice, currency, subscription } = owner;
  return {
    id: createId('il', 24),
    object: 'line_item',
    amount: line.amount,
    currency,
    description: line.description,
    discount_amounts: discountAmounts(owner, discount),
    discountable: isDiscountable(line),
    discounts: [],
    invoice,
    livemode: false,
    metadata: line.metadata ?? { ...subscription?.metadata },
    parent: parentOf(subscription, line),
    period: line.period,
    pretax_credit_amounts: pretaxCredits(owner, discount),
    pricing: line.price && {
      price_details: { price: line.price.id, product: line.price.product },
      type: 'price_details',
      unit_amount_decimal: line.price.unit_amount_decimal,
    },
    quantity: line.quantity,
    quantity_decimal: String(line.quantity),
    subscription: subscription?.id ?? null,
    subtotal: line.amount,
    taxes: taxes.map(buildTax),
  };
}

function parentOf(subscription: ApiObject<'subscription'> | null, line: InvoiceLine): Line['parent'] {
  const proration = { proration: line.isProration, proration_details: { credited_items: null } };
  if (subscription && line.subscriptionItem) {
    return {
      invoice_item_details: null,
      subscription_item_details: {
        ...proration,
        invoice_item: line.invoiceItem,
        subscription: subscription.id,
        subscription_item: line.subscriptionItem,
      },
      type: 'subscription_item_details',
    };
  }
  return {
    invoice_item_details: {
      ...proration,
      invoice_item: line.invoiceItem ?? createId('ii', 24),
      subscription: subscription?.id ?? null,
    },
    subscription_item_details: null,
    type: 'invoice_item_details',
  };
}

type InvoiceTax = NonNullable<ApiObject<'invoice'>['total_taxes']>[number];

/** A tax as invoices and their lines show it. Only the rates of automatic tax have a type. */
function buildTax({ rate, amount, taxable }: LineTax): InvoiceTax {
  return {
    amount,
    tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: rate.tax_type ? 'standard_rated' : 'not_available',
    taxable_amount: taxable,
    type: 'tax_rate_details',
  };
}

/** The link from an invoice to the PaymentIntent that is to pay it. Since 2025 the invoice no longer names it. */
export function buildInvoicePayment(
  invoice: ApiObject<'invoice'>,
  paymentIntent: string,
  now: number,
): ApiObject<'invoice_payment'> {
  return build('invoice_payment', {
    id: createId('inpay', 24),
    amount_requested: invoice.amount_remaining,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { payment_intent: paymentIntent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
}
