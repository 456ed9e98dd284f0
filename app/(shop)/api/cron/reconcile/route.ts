// Finds users whose webhook never arrived and reports their leads; deletes reports past their retention. Call it once an hour
// from your scheduler.
import { explainClerkFailure, reconcile } from '@/lib/integration/clerk/reconcile';
import { isScheduler, refuse, timeForCron } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { runOutbox } from '@/lib/integration/outbox/deliver';

/** In seconds. A serverless host may stop a function that takes longer. */
export const maxDuration = 60;

export async function GET(request: Request): Promise<Response> {
  if (!isScheduler(request)) return refuse('unauthorized');
  const hasTime = timeForCron();
  try {
    // The rest of the time is for delivery, which must not depend on Clerk, nor Clerk's result on it.
    const drain = () => runOutbox(hasTime).catch((error) => logFailure('cron: outbox', error));
    const result = await reconcile(new Date(), timeForCron(20_000)).finally(drain);
    return Response.json(result, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    logFailure('cron: reconcile', error);
    return refuse(explainClerkFailure(error) ?? 'failed');
  }
}
