import 'server-only';
import { checkBankAccount } from '../billing/bank-accounts';
import { type CardCheck, checkCard, type PaymentFailure } from '../billing/cards';
import { buildBankAccount, buildPaymentMethod } from '../objects/payment-method';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { CheckoutField } from './checkout-plan';
import type { PaymentForm } from './payment-form';

export type MeansCheck =
  | Extract<CardCheck, { outcome: 'succeeds' }>
  | { outcome: 'fails'; failure: PaymentFailure; field: CheckoutField };

/** What paying with the form's card or bank account comes to; without either there is nothing that could fail. */
export function checkMeans({ card, bank }: PaymentForm): MeansCheck {
  const success = { outcome: 'succeeds', laterFailure: null, needsAuthentication: false } as const;
  if (bank) {
    const check = checkBankAccount(bank);
    if (check.isKnown) return { ...success, laterFailure: check.laterFailure };
    return {
      outcome: 'fails',
      failure: { code: 'account_number_invalid', message: check.message },
      field: 'account_number',
    };
  }
  const check = card ? checkCard(card.number) : success;
  return check.outcome === 'fails' ? { ...check, field: 'number' } : check;
}

/** Keeps the form's card or bank account as a payment method; null where it has neither. */
export async function keepMeans(
  store: Store,
  { card, bank, email, name }: PaymentForm,
  { customer, laterFailure }: { customer: string | null; laterFailure: PaymentFailure | null },
): Promise<ApiObject<'payment_method'> | null> {
  const owner = { customer, email, name };
  if (bank) return store.insert(buildBankAccount({ ...bank, ...owner }, store.now), { internal: { laterFailure } });
  if (card) return store.insert(buildPaymentMethod({ ...card, ...owner }, store.now), { internal: { laterFailure } });
  return null;
}
