// Readiness: take the process out of the load balancer while it responds 503.
import { checkReadiness } from '@/lib/integration/readiness';

export async function GET(request: Request): Promise<Response> {
  void request.headers.get('host'); // read first, so that the route is not prerendered at build time
  const { isReady, checks } = await checkReadiness();
  const headers = { 'cache-control': 'no-store' };
  return Response.json({ status: isReady ? 'ready' : 'not_ready', checks }, { status: isReady ? 200 : 503, headers });
}
