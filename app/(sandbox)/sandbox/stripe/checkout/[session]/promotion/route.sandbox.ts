import { NextResponse } from 'next/server';
import { isSandboxOn } from '@/lib/sandbox/env';
import { applyPromotionCode } from '@/lib/sandbox/stripe/checkout/apply-promotion-code';

type Context = { params: Promise<{ session: string }> };

export async function POST(request: Request, { params }: Context): Promise<Response> {
  if (!isSandboxOn('stripe')) return new Response(null, { status: 404 });
  const { session } = await params;
  const code = (await request.formData()).get('promotion_code');
  const url = await applyPromotionCode(session, typeof code === 'string' ? code.trim() : '');
  return NextResponse.redirect(url, 303);
}
