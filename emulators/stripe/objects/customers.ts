import { createId } from '../../core/ids';
import type { ApiObject } from '../wire';
import { build } from './build';

export type Address = NonNullable<ApiObject<'customer'>['address']>;

export const EMPTY_ADDRESS: Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};

type NewCustomer = {
  email?: string | null | undefined;
  name?: string | null | undefined;
  description?: string | null | undefined;
  phone?: string | null | undefined;
  address?: Address | null | undefined;
  shipping?: ApiObject<'customer'>['shipping'] | undefined;
  preferredLocales?: string[] | undefined;
  taxExempt?: ApiObject<'customer'>['tax_exempt'] | undefined;
  testClock?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
};

export function buildCustomer(given: NewCustomer, now: number): ApiObject<'customer'> {
  return build('customer', {
    id: createId('cus', 14),
    address: given.address ?? null,
    balance: 0,
    created: now,
    currency: null,
    delinquent: false,
    description: given.description,
    email: given.email,
    invoice_prefix: createId('', 8).slice(1).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    metadata: given.metadata ?? {},
    name: given.name ?? null,
    next_invoice_sequence: 1,
    phone: given.phone ?? null,
    preferred_locales: given.preferredLocales ?? [],
    shipping: given.shipping,
    tax_exempt: given.taxExempt ?? 'none',
    test_clock: given.testClock ?? null,
  });
}

/** The part of a customer's balance that applies to invoices in a currency. The first one sets the customer's currency. */
export const balanceIn = (given: string, { balance, currency }: ApiObject<'customer'>): number =>
  !currency || currency === given ? balance : 0;

type NewBalanceTransaction = {
  customer: string;
  /** Negative amounts are credit, as in the customer's balance. */
  amount: number;
  currency: string;
  endingBalance: number;
  type: ApiObject<'customer_balance_transaction'>['type'];
  invoice?: string | undefined;
  creditNote?: string | undefined;
  description?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
};

export function buildBalanceTransaction(
  given: NewBalanceTransaction,
  now: number,
): ApiObject<'customer_balance_transaction'> {
  return build('customer_balance_transaction', {
    id: createId('cbtxn', 24),
    amount: given.amount,
    created: now,
    credit_note: given.creditNote,
    currency: given.currency,
    customer: given.customer,
    description: given.description,
    ending_balance: given.endingBalance,
    invoice: given.invoice,
    metadata: given.metadata ?? {},
    type: given.type,
  });
}
