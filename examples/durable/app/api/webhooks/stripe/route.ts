import { readBody, refuse } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { verifyStripeWebhook } from '@/lib/integration/stripe/client';
import { fulfil } from '@/lib/integration/stripe/fulfil';

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, 512 * 1024);
  if (body === null) return refuse('too_large');
  const event = verifyStripeWebhook(body, request.headers.get('stripe-signature'));
  if (!event) return refuse('bad_signature');
  try {
    await fulfil(event);
    return new Response('Received.');
  } catch (error) {
    logFailure('webhook: fulfilment', error, { event: event.id, type: event.type });
    return refuse('failed'); // Stripe sends it again
  }
}
