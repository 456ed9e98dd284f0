// Handles a verified Clerk event. Change in your app: leave out the billing if you sell nothing through Stripe.
import 'server-only';
import { logFailure } from '@/lib/integration/log';
import { receiveReport } from '@/lib/integration/outbox/deliver';
import { updateEmail } from '@/lib/integration/stripe/customer';
import { endBilling } from '@/lib/integration/stripe/end-billing';
import { type ClerkWebhook, occurredAt, primaryEmailOf, reportOf } from './webhook';

/**
 * Stores the event's report and tries to deliver it, updates the email address of the Stripe customer, and ends the billing of a
 * deleted user. Safe to repeat.
 * @param requestId is sent to the tracking service, so that both logs have the same ID
 * @returns `unavailable`: respond 503, and Clerk sends the event again
 */
export async function receiveClerkEvent(
  { messageId, event }: ClerkWebhook,
  requestId: string | null = null,
): Promise<'accepted' | 'unavailable'> {
  const report = reportOf(event);
  const origin = { requestId, occurredAt: occurredAt(event) };
  if (report && (await receiveReport(messageId, report, { origin })) === 'unavailable') return 'unavailable';
  try {
    if (event.type === 'user.updated') await updateEmail({ userId: event.data.id, email: primaryEmailOf(event.data) });
    if (report?.kind === 'erasure') await endBilling(report.customerExternalId);
    return 'accepted';
  } catch (error) {
    logFailure('webhook: the billing of a changed or deleted user', error, { type: event.type, request_id: requestId });
    return 'unavailable';
  }
}
