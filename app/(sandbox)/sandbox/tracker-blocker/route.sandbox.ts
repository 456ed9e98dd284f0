import { connection } from 'next/server';
import { TRACKER_BLOCKER } from '@/lib/sandbox/control-room/tracker-blocker';
import { isSandboxOn } from '@/lib/sandbox/env';

export async function GET(): Promise<Response> {
  await connection();
  if (!isSandboxOn('clerk') && !isSandboxOn('stripe')) return new Response(null, { status: 404 });
  return new Response(TRACKER_BLOCKER, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
      'service-worker-allowed': '/', // it stands for a blocker, which sees every page
    },
  });
}
