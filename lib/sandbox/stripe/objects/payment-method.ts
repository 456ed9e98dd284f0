import { newId } from '../api/new-id';
import type { ApiObject } from '../wire';

type NewCard = {
  number: string;
  expMonth: number;
  expYear: number;
  customer: string | null;
  email: string | null;
  name: string | null;
};

export function buildPaymentMethod(card: NewCard, now: number): ApiObject<'payment_method'> {
  const brand = card.number.startsWith('5') ? 'mastercard' : 'visa';
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: null, state: null },
      email: card.email,
      name: card.name,
      phone: null,
      tax_id: null,
    },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: newId('x', 16).slice(2),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now,
    customer: card.customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}
