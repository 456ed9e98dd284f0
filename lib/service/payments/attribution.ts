import { decideLead, type LeadFacts } from '../domain/lead';
import type { PaymentMode } from '../domain/program';

/** Why a payment is kept as "not attributed". Stable: they appear in the events API and on the dashboard. */
export const KEPT_REASONS = [
  'no_program',
  'no_payment_account',
  'mode_mismatch',
  'no_attribution',
  'unknown_click',
  'unknown_customer',
] as const;

export type KeptReason = (typeof KEPT_REASONS)[number];

/** A payment that is not a program's, or of another account, is kept in no program. */
export type NotAttributedReason = KeptReason | 'unknown_program' | 'account_mismatch';

type PaymentAccountFacts = {
  program: { paymentAccountId: string | null; paymentMode: PaymentMode | null } | null;
  event: { accountId: string | null; livemode: boolean };
};

/**
 * Whether an event belongs to the program's connected payment account and its mode (docs/decisions/0010). An event without an
 * account is from the endpoint's own account, as its signature proves.
 */
export function decidePaymentAccount({ program, event }: PaymentAccountFacts): NotAttributedReason | null {
  if (!program) return 'unknown_program';
  if (event.accountId && event.accountId !== program.paymentAccountId) return 'account_mismatch';
  if (!program.paymentMode) return 'no_payment_account';
  return event.livemode === (program.paymentMode === 'live') ? null : 'mode_mismatch';
}

export type PaymentAttribution =
  | { attributed: true; by: 'customer' }
  /** `settlesLeadOf`: the customer key whose lead the payment settles; null without one. */
  | { attributed: true; by: 'click'; settlesLeadOf: string | null }
  | { attributed: false; reason: KeptReason };

/**
 * §3 and docs/decisions/0007: what a payment is attributed by: its click or a known customer, never an email address.
 * Once the customer's lead is settled, its attribution never changes, even after a later click.
 */
export function decidePaymentAttribution(
  { clickId, customerKey }: { clickId: string | null; customerKey: string | null },
  facts: LeadFacts,
): PaymentAttribution {
  if (!clickId && !customerKey) return { attributed: false, reason: 'no_attribution' };
  if (facts.isCustomerKnown) return { attributed: true, by: 'customer' };
  if (customerKey && decideLead(facts).outcome === 'settle')
    return { attributed: true, by: 'click', settlesLeadOf: customerKey };
  if (!customerKey && facts.click === 'valid') return { attributed: true, by: 'click', settlesLeadOf: null };
  return { attributed: false, reason: clickId ? 'unknown_click' : 'unknown_customer' };
}
