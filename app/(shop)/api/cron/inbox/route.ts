// Drains the inbox where no process lives long enough to do it on an interval. Call it every minute from your scheduler.
// Change in your app: nothing. Vercel's scheduler sends CRON_SECRET in this very header.
import { isCron } from '@/lib/integration/http/is-cron';
import { refuse } from '@/lib/integration/http/refuse';
import { drainInbox } from '@/lib/integration/inbox/drain-inbox';

export async function GET(request: Request): Promise<Response> {
  if (!isCron(request)) return refuse('unauthorized');
  return Response.json({ attempts: await drainInbox() });
}
