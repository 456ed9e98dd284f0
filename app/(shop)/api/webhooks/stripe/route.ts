// Stores plan, status and period. In Stripe's dashboard, subscribe this URL to checkout.session.completed and
// .async_payment_succeeded, customer.subscription.created, .updated, .paused, .resumed and .deleted, charge.refunded,
// refund.updated and .failed, charge.dispute.created and .closed. The tracking service has an endpoint of its own.
import { readBody, refuse } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { verifyStripeWebhook } from '@/lib/integration/stripe/client';
import { fulfil } from '@/lib/integration/stripe/fulfil';

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, 512 * 1024); // an invoice with many lines is larger than 64 KiB
  if (body === null) return refuse('too_large');
  const event = verifyStripeWebhook(body, request.headers.get('stripe-signature'));
  if (!event) return refuse('bad_signature');
  try {
    await fulfil(event);
    return Response.json({ received: true });
  } catch (error) {
    logFailure('webhook: fulfilment', error, { event: event.id, type: event.type });
    return refuse('failed'); // Stripe sends it again
  }
}
