// Drains the outbox where no process runs long enough to do it on an interval, and deletes reports past their retention. Call it every minute from your scheduler.
// Change in your app: nothing. Vercel's scheduler sends CRON_SECRET in this header.
import { isCron, refuse } from '@/lib/integration/http';
import { drainOutbox } from '@/lib/integration/outbox/deliver';
import { pruneOutbox } from '@/lib/integration/outbox/store';

export async function GET(request: Request): Promise<Response> {
  if (!isCron(request)) return refuse('unauthorized');
  return Response.json({ attempts: await drainOutbox(), deleted: await pruneOutbox(new Date()) });
}
