import { after } from 'next/server';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';
import { isSandboxOn } from '@/lib/sandbox/env';
import { handleStripeRequest } from '@/lib/sandbox/stripe/handle-request';

type Context = { params: Promise<{ path: string[] }> };

async function handle(request: Request, { params }: Context): Promise<Response> {
  if (!isSandboxOn('stripe')) return new Response(null, { status: 404 });
  const { path } = await params;
  const response = await handleStripeRequest(request, `/v1/${path.join('/')}`);
  if (request.method !== 'GET') after(drainDeliveries);
  return response;
}

export { handle as DELETE, handle as GET, handle as POST };
