import { after, NextResponse } from 'next/server';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';
import { isSandboxOn } from '@/lib/sandbox/env';
import { actInPortal } from '@/lib/sandbox/stripe/portal/act-in-portal';

type Context = { params: Promise<{ session: string }> };

export async function POST(request: Request, { params }: Context): Promise<Response> {
  if (!isSandboxOn('stripe')) return new Response(null, { status: 404 });
  const { session } = await params;
  const url = await actInPortal(session, Object.fromEntries(await request.formData()));
  after(drainDeliveries);
  return NextResponse.redirect(url, 303);
}
