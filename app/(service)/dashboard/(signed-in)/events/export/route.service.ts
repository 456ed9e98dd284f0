import type { NextRequest } from 'next/server';
import { parseEventFilter } from '@/lib/service/dashboard/event-filter';
import { exportEvents } from '@/lib/service/dashboard/export-events';
import { readAccess } from '@/lib/service/dashboard/session';

/** `?format=csv|json` and the filters of the events page. */
export async function GET(request: NextRequest): Promise<Response> {
  const access = await readAccess();
  if (!access) return new Response('Sign in to the dashboard first.\n', { status: 401 });
  const { format: asked, ...params } = Object.fromEntries(request.nextUrl.searchParams);
  const format = asked === 'json' ? 'json' : 'csv';
  const { contentType, body } = await exportEvents(access.programId, parseEventFilter(params), format);
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${access.programId}-events.${format}"`,
      'cache-control': 'no-store',
    },
  });
}
