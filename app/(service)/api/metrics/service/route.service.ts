import { handle, refuseMethods } from '@/lib/service/http/respond';
import { respondWithMetrics } from '@/lib/service/metrics';

// The service's metrics for a scraper such as Prometheus, which sends CRON_SECRET as a bearer token.
export function GET(request: Request): Promise<Response> {
  return handle(request, () => respondWithMetrics(request, new Date()));
}
export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('GET');
