import { createId } from '../../core/ids';
import type { BankAccount } from '../test-cards';
import type { ApiObject } from '../wire';
import { build } from './build';
import { type Address, EMPTY_ADDRESS } from './customers';

type Owner = {
  customer: string | null;
  email: string | null;
  name: string | null;
  phone?: string | undefined;
  address?: Address;
};
type NewCard = Owner & { number: string; expMonth: number; expYear: number };

/** The ways to pay in a currency: ACH Direct Debit is for dollars. */
export const methodTypesOf = (currency: string): string[] =>
  currency === 'usd' ? ['card', 'us_bank_account'] : ['card'];

/** A card. */
export function buildCard(card: NewCard, now: number): ApiObject<'payment_method'> {
  const brand = card.number.startsWith('5') ? 'mastercard' : 'visa';
  return build('payment_method', {
    ...owned(card, now),
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: createId('', 16).slice(1),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    type: 'card',
  });
}

/** A bank account that may be debited. */
export function buildBankAccount(account: Owner & BankAccount, now: number): ApiObject<'payment_method'> {
  return build('payment_method', {
    ...owned(account, now),
    type: 'us_bank_account',
    us_bank_account: {
      account_holder_type: 'individual',
      account_type: 'checking',
      bank_name: 'STRIPE TEST BANK',
      financial_connections_account: null,
      fingerprint: createId('', 16).slice(1),
      last4: account.accountNumber.slice(-4),
      networks: { preferred: 'ach', supported: ['ach'] },
      routing_number: account.routingNumber,
      status_details: {},
    },
  });
}

function owned({ customer, email, name, phone, address }: Owner, now: number) {
  return {
    id: createId('pm', 24),
    allow_redisplay: 'limited' as const,
    billing_details: {
      address: address ?? { ...EMPTY_ADDRESS, country: 'US' },
      email,
      name,
      phone: phone ?? null,
      tax_id: null,
    },
    created: now,
    customer,
    metadata: {},
  };
}
