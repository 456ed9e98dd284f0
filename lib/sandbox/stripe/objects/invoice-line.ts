import { newId } from '../api/new-id';
import type { LineTax } from '../billing/taxes';
import type { ApiObject } from '../wire';

export type InvoiceLine = {
  price: ApiObject<'price'>;
  quantity: number;
  amount: number;
  description: string;
  period: { start: number; end: number };
  subscriptionItem: string | null;
  isProration: boolean;
  taxRates: ApiObject<'tax_rate'>[];
};

type Owner = { invoice: string; currency: string; subscription: ApiObject<'subscription'> | null };

export function buildLine(
  { invoice, currency, subscription }: Owner,
  line: InvoiceLine,
  taxes: LineTax[],
): ApiObject<'invoice'>['lines']['data'][number] {
  return {
    id: newId('il'),
    object: 'line_item',
    amount: line.amount,
    currency,
    description: line.description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription ? { ...subscription.metadata } : {},
    parent:
      subscription && line.subscriptionItem
        ? {
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: line.isProration,
              proration_details: { credited_items: null },
              subscription: subscription.id,
              subscription_item: line.subscriptionItem,
            },
            type: 'subscription_item_details',
          }
        : {
            invoice_item_details: {
              invoice_item: newId('ii'),
              proration: line.isProration,
              proration_details: { credited_items: null },
              subscription: subscription?.id ?? null,
            },
            subscription_item_details: null,
            type: 'invoice_item_details',
          },
    period: line.period,
    pretax_credit_amounts: [],
    pricing: {
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

type InvoiceTax = NonNullable<ApiObject<'invoice'>['total_taxes']>[number];

/** A tax as invoices and their lines show it. */
export function buildTax({ rate, amount, taxable }: LineTax): InvoiceTax {
  return {
    amount,
    tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: 'not_available',
    taxable_amount: taxable,
    type: 'tax_rate_details',
  };
}
