// Clerk's webhook in the Pages Router: the same functions, with the raw body, since the signature covers its bytes.
import type { NextApiRequest, NextApiResponse } from 'next';
import { reportOf, verifyClerkWebhook } from '@/lib/integration/clerk/webhook';
import { receiveReport } from '@/lib/integration/outbox/deliver';

export const config = { api: { bodyParser: false } };

export default async function handler(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const webhook = verifyClerkWebhook(Buffer.concat(chunks).toString('utf8'), headers);
  const report = webhook && reportOf(webhook.event);
  const result = webhook && report ? await receiveReport(webhook.messageId, report) : 'accepted';
  response.status(webhook ? (result === 'unavailable' ? 503 : 200) : 400).end();
}
