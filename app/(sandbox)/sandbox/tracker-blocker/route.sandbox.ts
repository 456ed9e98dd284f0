import { TRACKER_BLOCKER } from '@/lib/sandbox/control-room/tracker-blocker';
import { sandboxedProviders } from '@/lib/sandbox/env';

/** The script, for a browser that registers it as its service worker. */
export async function GET(request: Request): Promise<Response> {
  const isForWorker = request.headers.get('service-worker') === 'script';
  if (!isForWorker || sandboxedProviders().length === 0) return new Response(null, { status: 404 });
  return new Response(TRACKER_BLOCKER, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
      'service-worker-allowed': '/', // it stands for a blocker, which sees every page
    },
  });
}
