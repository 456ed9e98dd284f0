// Receives Clerk's webhooks and settles a lead for every new user: contract §4, identity-provider signup path.
// Change in your app: nothing. In Clerk's dashboard subscribe this address to user.created and user.deleted.
import { after } from 'next/server';
import { verifyClerkWebhook } from '@/lib/integration/clerk/verify-clerk-webhook';
import { decideReport } from '@/lib/integration/domain/decide-report';
import { readBody } from '@/lib/integration/http/read-body';
import { refuse } from '@/lib/integration/http/refuse';
import { drainBatch } from '@/lib/integration/inbox/drain-inbox';
import { receiveReport } from '@/lib/integration/inbox/receive-report';

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, 64 * 1024);
  if (body === null) return refuse('too_large');
  const webhook = verifyClerkWebhook(body, request.headers);
  if (!webhook) return refuse('bad_signature');
  const report = decideReport(webhook.event);
  if (!report) return Response.json({ received: true });
  if ((await receiveReport(webhook.messageId, report)) === 'unavailable') return refuse('unavailable');
  after(() => drainBatch());
  return Response.json({ received: true });
}
