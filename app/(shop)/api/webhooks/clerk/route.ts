// Receives Clerk's webhooks: settles a lead for every new user (contract §4, identity-provider signup path), keeps the email
// address of the Stripe customer up to date, and forgets deleted users.
// Change in your app: nothing. In Clerk's dashboard subscribe this address to user.created, user.updated and user.deleted.
import { after } from 'next/server';
import { occurredAt, primaryEmailOf, reportOf, verifyClerkWebhook } from '@/lib/integration/clerk/webhook';
import { readBody, readRequestId, refuse } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { drainBatch, receiveReport } from '@/lib/integration/outbox/deliver';
import { updateEmail } from '@/lib/integration/stripe/customer';
import { endBilling } from '@/lib/integration/stripe/end-billing';

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, 64 * 1024);
  if (body === null) return refuse('too_large');
  const webhook = verifyClerkWebhook(body, request.headers);
  if (!webhook) return refuse('bad_signature');
  const { messageId, event } = webhook;
  const report = reportOf(event);
  const origin = { requestId: readRequestId(request.headers), occurredAt: occurredAt(event) };
  if (report && (await receiveReport(messageId, report, origin)) === 'unavailable') return refuse('unavailable');
  try {
    if (event.type === 'user.updated') await updateEmail({ userId: event.data.id, email: primaryEmailOf(event.data) });
    if (report?.kind === 'erasure') await endBilling(report.customerExternalId);
  } catch (error) {
    logFailure('webhook: the billing of a changed or deleted user', error, {
      type: event.type,
      request_id: origin.requestId,
    });
    return refuse('unavailable');
  }
  after(() => drainBatch().catch((error) => logFailure('outbox: draining', error)));
  return Response.json({ received: true }, { headers: { 'x-request-id': origin.requestId } });
}
