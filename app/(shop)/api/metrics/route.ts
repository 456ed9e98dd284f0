// The metrics for a scraper such as Prometheus, which sends CRON_SECRET as a bearer token.
import { isScheduler, refuse } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { formatMetrics, readMetrics } from '@/lib/integration/metrics';

export async function GET(request: Request): Promise<Response> {
  if (!isScheduler(request)) return refuse('unauthorized');
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };
  try {
    return new Response(formatMetrics(await readMetrics(new Date())), { headers });
  } catch (error) {
    logFailure('metrics', error);
    return refuse('failed');
  }
}
