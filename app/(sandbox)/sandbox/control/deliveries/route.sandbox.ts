import { after } from 'next/server';
import { controlDeliveries, showDeliveries } from '@/lib/sandbox/control/control-deliveries';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';

export const POST = controlDeliveries;

export async function GET(request: Request): Promise<Response> {
  const response = await showDeliveries(request);
  if (response.ok) after(drainDeliveries);
  return response;
}
