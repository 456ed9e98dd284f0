import { createId } from '../../core/ids';
import { type TaxableLine, type Totals, taxLines } from '../pricing/taxes';
import type { ApiObject } from '../wire';
import { build } from './build';
import type { Address } from './customers';

export type SessionItem = {
  price: ApiObject<'price'>;
  quantity: number;
  description: string;
  taxRates: ApiObject<'tax_rate'>[];
};

type CustomText = ApiObject<'checkout.session'>['custom_text'];

type NewSession = {
  mode: 'payment' | 'subscription';
  currency: string;
  amounts: Totals;
  url: (id: string) => string;
  success_url: string;
  cancel_url: string | null;
  client_reference_id: string | null;
  customer: string | null;
  customer_email: string | null;
  customer_creation: 'always' | 'if_required' | null;
  allow_promotion_codes: boolean | null;
  payment_method_collection: 'always' | 'if_required';
  expires_at: number;
  methodTypes: string[];
  locale: string | null;
  billing_address_collection: 'auto' | 'required' | null;
  needsPhone: boolean;
  needsConsent: boolean;
  customText: { [Place in keyof CustomText]?: CustomText[Place] | undefined };
  submit_type: ApiObject<'checkout.session'>['submit_type'];
  allowed_payment_method_types: string[] | null;
  metadata: Record<string, string>;
  invoiceMetadata: Record<string, string> | null;
  /** Automatic tax: `status` is `requires_location_inputs` until the customer's country is known. */
  automaticTax: { status: 'complete' | 'requires_location_inputs' } | null;
  discounts: { coupon: string | null; promotion_code: string | null }[];
};

export function buildCheckoutSession(given: NewSession, now: number): ApiObject<'checkout.session'> {
  const id = createId('cs_test', 56);
  return build('checkout.session', {
    id,
    adaptive_pricing: { enabled: false },
    allow_promotion_codes: given.allow_promotion_codes,
    allowed_payment_method_types: given.allowed_payment_method_types,
    amount_subtotal: given.amounts.subtotal,
    amount_total: given.amounts.total,
    automatic_tax: {
      enabled: given.automaticTax !== null,
      liability: given.automaticTax && { type: 'self' },
      provider: given.automaticTax && 'stripe',
      status: given.automaticTax?.status ?? null,
    },
    billing_address_collection: given.billing_address_collection,
    cancel_url: given.cancel_url,
    client_reference_id: given.client_reference_id,
    consent_collection: given.needsConsent
      ? { payment_method_reuse_agreement: null, promotions: 'none', terms_of_service: 'required' }
      : null,
    created: now,
    currency: given.currency,
    custom_fields: [],
    custom_text: {
      after_submit: given.customText.after_submit ?? null,
      shipping_address: null,
      submit: given.customText.submit ?? null,
      terms_of_service_acceptance: given.customText.terms_of_service_acceptance ?? null,
    },
    customer: given.customer,
    customer_creation: given.customer_creation,
    customer_email: given.customer_email,
    discounts: given.discounts,
    expires_at: given.expires_at,
    invoice_creation: given.mode === 'payment' ? invoiceCreation(given.invoiceMetadata) : null,
    locale: given.locale as ApiObject<'checkout.session'>['locale'],
    metadata: given.metadata,
    mode: given.mode,
    payment_method_collection: given.payment_method_collection,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: given.methodTypes,
    payment_status: given.amounts.total > 0 ? 'unpaid' : 'no_payment_required',
    phone_number_collection: { enabled: given.needsPhone },
    shipping_options: [],
    status: 'open',
    submit_type: given.submit_type,
    success_url: given.success_url,
    total_details: totalDetails(given.amounts),
    ui_mode: 'hosted_page',
    url: given.url(id),
  });
}

function invoiceCreation(metadata: Record<string, string> | null) {
  return {
    enabled: metadata !== null,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: null,
      metadata: metadata ?? {},
      rendering_options: null,
    },
  };
}

/** What is taken off and added, as part of the total. */
export const totalDetails = ({ discount, tax }: Totals) => ({
  amount_discount: discount,
  amount_shipping: 0,
  amount_tax: tax,
});

/** What an item costs, before discount and taxes. */
export const toTaxableLine = ({ price, quantity, taxRates }: SessionItem): TaxableLine => ({
  amount: (price.unit_amount ?? 0) * quantity,
  taxRates,
});

/** The session's line items as the API lists them; they exist only within it. */
export function buildLineItems(session: string, items: SessionItem[], discount: number) {
  const lines = items.map(toTaxableLine);
  const taxed = taxLines(lines, discount);
  return items.map(({ price, quantity, description }, index) => {
    const subtotal = lines[index]?.amount ?? 0;
    const { discount: off = 0, taxes = [] } = taxed[index] ?? {};
    const sumOf = (some: typeof taxes) => some.reduce((sum, { amount }) => sum + amount, 0);
    return {
      id: `li_${session.slice(-20)}${String(index).padStart(4, '0')}`,
      object: 'item' as const,
      adjustable_quantity: null,
      amount_discount: off,
      amount_subtotal: subtotal,
      amount_tax: sumOf(taxes),
      amount_total: subtotal - off + sumOf(taxes.filter(({ rate }) => !rate.inclusive)),
      currency: price.currency,
      description,
      metadata: {},
      price,
      quantity,
    };
  });
}

type CustomerDetails = {
  email: string;
  name?: string | undefined;
  phone?: string | undefined;
  address?: Address | null | undefined;
};

/** What a session knows about its customer once it is completed, or has expired with an email address. */
export const buildCustomerDetails = (given: CustomerDetails): ApiObject<'checkout.session'>['customer_details'] => ({
  address: given.address ?? null,
  business_name: null,
  email: given.email,
  individual_name: null,
  name: given.name ?? null,
  phone: given.phone ?? null,
  tax_exempt: 'none',
  tax_ids: [],
});
