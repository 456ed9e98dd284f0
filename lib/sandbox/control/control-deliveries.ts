import 'server-only';
import { z } from 'zod';
import { listDeliveries, redeliver } from '../deliveries/delivery-queries';
import { isControlOn, notFoundResponse, readControl } from './read-control';
import { setSwitches } from './switches';

const body = z.object({
  mode: z.enum(['ordered', 'shuffled', 'duplicated']).optional(),
  delay_seconds: z.int().min(0).max(3600).optional(),
  /** A fault to watch: checkouts opened from now on lose the subscription's metadata. */
  drop_subscription_metadata: z.boolean().optional(),
  /** An e-mail address: only that customer's deliveries. */
  customer: z.string().min(1).optional(),
});

/** POST /sandbox/control/deliveries: how webhooks arrive from now on, for everyone or for one customer (an e-mail address). */
export async function controlDeliveries(request: Request): Promise<Response> {
  if (!isControlOn()) return notFoundResponse();
  const read = await readControl(request, body);
  if ('refusal' in read) return read.refusal;
  const { mode, delay_seconds: delaySeconds, drop_subscription_metadata: dropsSubscriptionMetadata } = read.data;
  const change = {
    ...(mode && { mode }),
    ...(delaySeconds !== undefined && { delaySeconds }),
    ...(dropsSubscriptionMetadata !== undefined && { dropsSubscriptionMetadata }),
  };
  await setSwitches(change, read.data.customer);
  return Response.json({ success: true });
}

/** GET /sandbox/control/deliveries?limit=&customer=: the newest deliveries with every attempt. */
export async function showDeliveries(request: Request): Promise<Response> {
  if (!isControlOn()) return notFoundResponse();
  const query = new URL(request.url).searchParams;
  const limit = Math.min(Math.max(Number(query.get('limit')) || 50, 1), 200);
  const customer = query.get('customer')?.toLowerCase();
  return Response.json({ data: await listDeliveries({ limit, ...(customer && { subject: customer }) }) });
}

/** POST /sandbox/control/deliveries/:id/redeliver */
export async function controlRedelivery(id: string): Promise<Response> {
  if (!isControlOn()) return notFoundResponse();
  const isKnown = await redeliver(id);
  if (isKnown) return Response.json({ success: true });
  return Response.json({ error: 'There is no such delivery.', code: 'unknown_delivery' }, { status: 404 });
}
