// Drains the outbox where no process runs long enough to do it on an interval. Call it every minute from your scheduler.
// Change in your app: nothing. Vercel's scheduler sends CRON_SECRET in this header.
import { isCron, refuse } from '@/lib/integration/http';
import { drainOutbox } from '@/lib/integration/outbox/deliver';

export async function GET(request: Request): Promise<Response> {
  if (!isCron(request)) return refuse('unauthorized');
  return Response.json({ attempts: await drainOutbox() });
}
