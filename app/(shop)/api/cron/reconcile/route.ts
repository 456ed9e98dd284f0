// Finds users whose webhook never arrived and reports their leads; deletes reports past their retention. Call it once an hour
// from your scheduler.
// Change in your app: nothing.
import { explainClerkFailure, reconcile } from '@/lib/integration/clerk/reconcile';
import { isCron, refuse } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { drainOutbox } from '@/lib/integration/outbox/deliver';
import { pruneOutbox } from '@/lib/integration/outbox/store';

export async function GET(request: Request): Promise<Response> {
  if (!isCron(request)) return refuse('unauthorized');
  try {
    const { users, missing } = await reconcile(new Date());
    await drainOutbox();
    await pruneOutbox(new Date());
    return Response.json({ users, missing });
  } catch (error) {
    logFailure('reconcile', error);
    return refuse(explainClerkFailure(error) ?? 'unavailable');
  }
}
