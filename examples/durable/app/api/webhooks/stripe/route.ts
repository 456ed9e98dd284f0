import type Stripe from 'stripe';
import { readBody, refuse } from '@/lib/integration/http';
import { fulfil } from '@/lib/integration/stripe/fulfil';
import { stripe } from '../../../../lib/stripe';

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, 512 * 1024);
  if (body === null) return refuse('too_large');
  const event = readEvent(body, request.headers.get('stripe-signature') ?? '');
  if (!event) return new Response('The signature does not match.', { status: 400 });
  await fulfil(event);
  return new Response('Received.');
}

function readEvent(body: string, signature: string): Stripe.Event | null {
  try {
    return stripe.webhooks.constructEvent(body, signature, process.env.STRIPE_WEBHOOK_SECRET ?? '');
  } catch {
    return null;
  }
}
