import { verifyWebhook } from '@clerk/nextjs/webhooks';
import type { NextRequest } from 'next/server';

const store = globalThis as typeof globalThis & { received?: Array<{ type: string; id: string | undefined }> };
store.received ??= [];

export async function POST(request: NextRequest) {
  try {
    const event = await verifyWebhook(request);
    store.received?.push({ type: event.type, id: event.data.id });
    return new Response('Webhook received', { status: 200 });
  } catch (error) {
    console.error('Error verifying webhook:', error);
    return new Response('Error verifying webhook', { status: 400 });
  }
}

export async function GET() {
  return Response.json(store.received);
}
