import { newId } from '../api/new-id';
import type { ApiObject } from '../wire';

type NewCustomer = {
  email?: string | null | undefined;
  name?: string | null | undefined;
  description?: string | null | undefined;
  phone?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
};

export function buildCustomer(given: NewCustomer, now: number): ApiObject<'customer'> {
  return {
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: given.description ?? null,
    email: given.email ?? null,
    invoice_prefix: newId('x', 8).slice(2).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: given.metadata ?? {},
    name: given.name ?? null,
    next_invoice_sequence: 1,
    phone: given.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}
