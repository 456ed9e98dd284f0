// Finds users whose webhook never arrived and reports their leads. Call it once an hour from your scheduler.
// Change in your app: nothing.
import { reconcile } from '@/lib/integration/clerk/reconcile';
import { isCron } from '@/lib/integration/http/is-cron';
import { refuse } from '@/lib/integration/http/refuse';
import { drainInbox } from '@/lib/integration/inbox/drain-inbox';

export async function GET(request: Request): Promise<Response> {
  if (!isCron(request)) return refuse('unauthorized');
  const { users, missing } = await reconcile(new Date());
  await drainInbox();
  return Response.json({ users, missing });
}
