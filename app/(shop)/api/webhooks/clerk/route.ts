// Receives Clerk's webhooks: settles a lead for every new user (contract §4, identity-provider signup path), updates the
// email address of the Stripe customer, and erases deleted users.
// In Clerk's dashboard, subscribe this URL to user.created, user.updated and user.deleted.
import { after } from 'next/server';
import { receiveClerkEvent, verifyClerkWebhook } from '@/lib/integration/clerk/webhook';
import { readBody, readRequestId, refuse } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { drainOnce } from '@/lib/integration/outbox/deliver';

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, 64 * 1024);
  if (body === null) return refuse('too_large');
  const webhook = verifyClerkWebhook(body, request.headers);
  if (!webhook) return refuse('bad_signature');
  const requestId = readRequestId(request.headers);
  if ((await receiveClerkEvent(webhook, requestId)) === 'unavailable') return refuse('unavailable');
  after(() => drainOnce().catch((error) => logFailure('outbox: draining', error)));
  return Response.json({ received: true }, { headers: { 'x-request-id': requestId } });
}
