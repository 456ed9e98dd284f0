import { verifyWebhook } from '@clerk/nextjs/webhooks';
import { NextRequest } from 'next/server';
import { readClickId, tracking } from '../../../../lib/attribution';

const LIMIT = 64 * 1024; // anyone can send a body, and all of it is read before its signature is checked

export async function POST(request: NextRequest): Promise<Response> {
  let body = '';
  const reader = request.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = () => reader?.read().catch(() => undefined); // the sender may hang up
  for (let part = await read(); part && !part.done; part = await read()) {
    body += part.value;
    if (body.length > LIMIT) {
      await reader?.cancel();
      return new Response('The body is too large.', { status: 413 });
    }
  }
  const received = new NextRequest(request.url, { method: 'POST', headers: request.headers, body });
  const event = await verifyWebhook(received).catch((error: unknown) =>
    console.error(`Clerk's webhook was refused: ${error}`),
  );
  if (!event) return new Response('The signature does not match.', { status: 400 });
  if (event.type !== 'user.created') return new Response('Ignored.');
  const { id, unsafe_metadata: metadata, email_addresses: emails } = event.data;
  try {
    const lead = { customerExternalId: id, clickId: readClickId(metadata.svc_click_id) };
    let result = await tracking().trackLead({ ...lead, email: emails[0]?.email_address });
    // A 400 is expected if the visitor was not referred (contract §7). If one was, the email address may be the reason.
    if (!result.ok && lead.clickId) result = await tracking().trackLead(lead);
    if (result.ok && result.data.provisional) throw new Error('the API key did not arrive'); // §4: only the server settles it
    if (!result.ok && lead.clickId) console.error(`The lead of ${id} was refused: ${result.error.message}`);
    return new Response('Done.');
  } catch (error) {
    console.error(`The lead of ${id} has to be sent again: ${error}`);
    return new Response('Send it again later.', { status: 503 });
  }
}
