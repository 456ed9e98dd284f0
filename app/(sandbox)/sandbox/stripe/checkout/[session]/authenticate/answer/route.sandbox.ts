import { after, NextResponse } from 'next/server';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';
import { isSandboxOn } from '@/lib/sandbox/env';
import { answerChallenge } from '@/lib/sandbox/stripe/checkout/pay-checkout';

type Context = { params: Promise<{ session: string }> };

export async function POST(request: Request, { params }: Context): Promise<Response> {
  if (!isSandboxOn('stripe')) return new Response(null, { status: 404 });
  const { session } = await params;
  const url = await answerChallenge(session, (await request.formData()).get('answer') === 'complete');
  after(drainDeliveries);
  return NextResponse.redirect(url, 303);
}
