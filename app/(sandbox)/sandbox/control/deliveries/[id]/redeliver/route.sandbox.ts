import { after } from 'next/server';
import { controlRedelivery } from '@/lib/sandbox/control/control-deliveries';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';

type Context = { params: Promise<{ id: string }> };

export async function POST(_request: Request, { params }: Context): Promise<Response> {
  const response = await controlRedelivery((await params).id);
  if (response.ok) after(drainDeliveries);
  return response;
}
