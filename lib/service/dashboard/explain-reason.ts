import type { EventReason } from '../response-schemas';
import type { DashboardEvent } from './event-queries';

/** An invoice keeps the metadata that its subscription had when it was created, so resending its event does not help. */
const REPAIR =
  'If it belongs to a subscription, set the keys there in Stripe too; otherwise its renewals are not attributed either. To record ' +
  'this payment, report it through the API with this payment ID as its transaction_id.';

const REASONS = {
  no_program: `The payment has no program_id. Send the three metadata keys with the checkout session and its subscription. ${REPAIR}`,
  no_payment_account:
    'No payment account is connected to this program. Connect it in the settings, then resend the event in Stripe.',
  mode_mismatch:
    'The payment’s mode (live or test) differs from that of the connected payment account. If the account’s mode was wrong, correct it and resend the event in Stripe.',
  no_attribution: `The payment has no svc_click_id and no svc_customer_key. ${REPAIR}`,
  unknown_click: 'The payment’s svc_click_id is not a click of this program, or its attribution window has passed.',
  unknown_customer:
    'The payment’s svc_customer_key is unknown: the customer was not referred by a partner, or was never reported as a lead.',
  refund_failed: 'The refund failed or was canceled. Its amount counts again.',
  dispute_open: 'The customer disputes this payment. The sale is reduced if the dispute is lost.',
  dispute_lost: 'The dispute was lost. It reduces the sale by what was not refunded before.',
  dispute_won: 'The dispute was won. It does not reduce the sale.',
} satisfies Record<EventReason, string>;

const isKnown = (code: string): code is EventReason => Object.hasOwn(REASONS, code);

const KNOWN_BY_NOW =
  'The customer was unknown when this payment arrived, and is known now. To record the sale, resend its event: in Stripe’s dashboard ' +
  'for 15 days, with the Stripe CLI for 30. After that, report the sale through the API with this payment ID as its transaction_id: ' +
  'it counts on the day of the report.';

const WON_LATER =
  'The customer was unknown when this payment arrived, and has a lead now. The lead’s click is newer than this payment. Do not ' +
  'resend the event: that would credit the partner.';

type Explained = Pick<DashboardEvent, 'reason' | 'leadId' | 'leadClickedAt' | 'customerKey' | 'occurredAt'>;

/** Whether the payment was not attributed because its customer was unknown, but the customer has a lead now. */
export const isKnownByNow = ({ reason, leadId }: Pick<Explained, 'reason' | 'leadId'>) =>
  leadId !== null && (reason === 'unknown_customer' || reason === 'unknown_click');

/** What the reason of an event means, and what to do about it; null if it has none. */
export function explainReason(event: Explained): string | null {
  const { reason, leadClickedAt, occurredAt } = event;
  if (isKnownByNow(event)) {
    return leadClickedAt && leadClickedAt > occurredAt ? WON_LATER : KNOWN_BY_NOW;
  }
  return reason && (isKnown(reason) ? REASONS[reason] : `Reason: ${reason}.`);
}

type Fix = { href: string; label: string };

const CHECKOUT: Fix = { href: '/dashboard/settings#checkout', label: 'View checkout metadata' };
const PAYMENTS: Fix = { href: '/dashboard/settings#payments', label: 'View payment account' };

const FIXES: ReadonlyMap<string, Fix> = new Map<EventReason, Fix>([
  ['no_program', CHECKOUT],
  ['no_attribution', CHECKOUT],
  ['no_payment_account', PAYMENTS],
  ['mode_mismatch', PAYMENTS],
  ['unknown_click', { href: '/dashboard/settings#windows', label: 'View attribution windows' }],
]);

/** The page that shows or fixes the cause of a reason; null if there is nothing to do. */
export function findFix(event: Explained): Fix | null {
  const { reason, leadId, customerKey } = event;
  if (isKnownByNow(event)) return { href: `/dashboard/customers/${leadId}`, label: 'View journey' };
  if (reason !== 'unknown_customer' || customerKey === null) return FIXES.get(reason ?? '') ?? null;
  return { href: `/dashboard/events?customer=${encodeURIComponent(customerKey)}`, label: 'View customer’s events' };
}
