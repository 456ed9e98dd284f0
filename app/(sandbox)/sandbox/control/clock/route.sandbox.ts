import { after } from 'next/server';
import { controlClock } from '@/lib/sandbox/control/control-clock';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';

export async function POST(request: Request): Promise<Response> {
  const response = await controlClock(request);
  if (response.ok) after(drainDeliveries);
  return response;
}
