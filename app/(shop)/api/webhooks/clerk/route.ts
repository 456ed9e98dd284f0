// Receives Clerk's webhooks: settles a lead for every new user (contract §4, identity-provider signup path), and forgets deleted ones.
// Change in your app: nothing. In Clerk's dashboard subscribe this address to user.created and user.deleted.
import { after } from 'next/server';
import { occurredAt, reportOf, verifyClerkWebhook } from '@/lib/integration/clerk/webhook';
import { readBody, readRequestId, refuse } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { drainBatch, receiveReport } from '@/lib/integration/outbox/deliver';
import { endBilling } from '@/lib/integration/stripe/end-billing';

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, 64 * 1024);
  if (body === null) return refuse('too_large');
  const webhook = verifyClerkWebhook(body, request.headers);
  if (!webhook) return refuse('bad_signature');
  const report = reportOf(webhook.event);
  if (!report) return Response.json({ received: true });
  const origin = { requestId: readRequestId(request.headers), occurredAt: occurredAt(webhook.event) };
  if ((await receiveReport(webhook.messageId, report, origin)) === 'unavailable') return refuse('unavailable');
  try {
    if (report.kind === 'erasure') await endBilling(report.customerExternalId);
  } catch (error) {
    logFailure('webhook: ending the billing of a deleted user', error, { request_id: origin.requestId });
    return refuse('unavailable');
  }
  after(() => drainBatch().catch((error) => logFailure('outbox: draining', error)));
  return Response.json({ received: true }, { headers: { 'x-request-id': origin.requestId } });
}
