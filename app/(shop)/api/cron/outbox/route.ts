// Drains the outbox on hosts where no process runs long enough for an interval, and deletes reports past their retention. Call it
// every minute from your scheduler. Vercel's scheduler sends CRON_SECRET by itself.
import { isScheduler, refuse, timeForCron } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { runOutbox } from '@/lib/integration/outbox/deliver';

/** In seconds. A serverless host may stop a function that takes longer. */
export const maxDuration = 60;

export async function GET(request: Request): Promise<Response> {
  if (!isScheduler(request)) return refuse('unauthorized');
  try {
    return Response.json(await runOutbox(timeForCron()), { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    logFailure('cron: outbox', error);
    return refuse('failed');
  }
}
