import { verifyWebhook } from '@clerk/nextjs/webhooks';
import type { NextRequest } from 'next/server';
import { readClickId, tracking } from '../../../../lib/attribution';

export async function POST(request: NextRequest): Promise<Response> {
  const event = await verifyWebhook(request).catch(() => null);
  if (!event) return new Response('The signature does not match.', { status: 400 });
  if (event.type !== 'user.created') return new Response('Ignored.');
  const { id, unsafe_metadata: metadata, email_addresses: emails } = event.data;
  try {
    const clickId = readClickId(metadata.svc_click_id);
    await tracking().trackLead({ customerExternalId: id, clickId, email: emails[0]?.email_address });
    return new Response('Done.'); // also after a 400, which is expected where the visitor was not referred (contract §7)
  } catch (error) {
    console.error(`The lead of ${id} has to be sent again: ${error}`);
    return new Response('Send it again later.', { status: 503 });
  }
}
