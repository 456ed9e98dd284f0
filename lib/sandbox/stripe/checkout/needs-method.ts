import type { ApiObject } from '../wire';

/** A card or bank account is asked for where something is due, and for a subscription that will be charged later. */
export const needsMethod = (session: ApiObject<'checkout.session'>): boolean =>
  (session.amount_total ?? 0) > 0 ||
  (session.mode === 'subscription' && session.payment_method_collection === 'always');

/** ACH Direct Debit is there for dollars. */
export const takesDebits = (session: ApiObject<'checkout.session'>): boolean =>
  session.payment_method_types.includes('us_bank_account');
