import type { NextRequest } from 'next/server';
import { findJourney } from '@/lib/service/dashboard/journey-queries';
import { readAccess } from '@/lib/service/dashboard/session';

/** `?click=clk_…`: which steps of this click's journey have happened, for the tour of the local demo. */
export async function GET(request: NextRequest): Promise<Response> {
  const access = await readAccess();
  if (!access) return new Response('Sign in to the dashboard first.\n', { status: 401 });
  const journey = await findJourney(access.programId, request.nextUrl.searchParams.get('click') ?? '');
  const steps = journey?.nodes.flatMap(({ event }) => (event ? [event.kind] : [])) ?? [];
  return Response.json({ steps }, { headers: { 'cache-control': 'no-store' } });
}
