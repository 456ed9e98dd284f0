// Stores the subscriptions from before the integration, once. Delete it afterwards.
import { isCron, refuse } from '@/lib/integration/http';
import { backfillSubscriptions } from '@/lib/integration/stripe/fulfil';

export async function POST(request: Request): Promise<Response> {
  if (!isCron(request)) return refuse('unauthorized');
  return Response.json({ subscriptions: await backfillSubscriptions() });
}
