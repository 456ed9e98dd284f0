// Receives the shop's own events of Stripe's and keeps plan, status and period. The tracking service has an endpoint of its own.
// Change in your app: nothing. In Stripe's dashboard subscribe this address to checkout.session.completed,
// checkout.session.async_payment_succeeded, customer.subscription.* and charge.refunded.
import { readBody } from '@/lib/integration/http/read-body';
import { refuse } from '@/lib/integration/http/refuse';
import { fulfil } from '@/lib/integration/stripe/fulfil';
import { verifyStripeWebhook } from '@/lib/integration/stripe/verify-stripe-webhook';

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, 512 * 1024); // an invoice with many lines is larger than 64 KiB
  if (body === null) return refuse('too_large');
  const event = verifyStripeWebhook(body, request.headers.get('stripe-signature'));
  if (!event) return refuse('bad_signature');
  await fulfil(event);
  return Response.json({ received: true });
}
