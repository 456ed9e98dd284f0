import { after, NextResponse } from 'next/server';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';
import { isSandboxOn } from '@/lib/sandbox/env';
import { payCheckout } from '@/lib/sandbox/stripe/checkout/pay-checkout';

type Context = { params: Promise<{ session: string }> };

// A plain form post and a redirect: the shop's page loads as a whole, as it does after Stripe's own Checkout.
export async function POST(request: Request, { params }: Context): Promise<Response> {
  if (!isSandboxOn('stripe')) return new Response(null, { status: 404 });
  const { session } = await params;
  const url = await payCheckout(session, Object.fromEntries(await request.formData()));
  after(drainDeliveries);
  return NextResponse.redirect(url, 303);
}
