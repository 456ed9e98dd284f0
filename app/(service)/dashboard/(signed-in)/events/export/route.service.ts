import type { NextRequest } from 'next/server';
import { hasRepeatedName } from '@/lib/service/clean-input';
import { isFilterName, parseEventFilter } from '@/lib/service/dashboard/event-filter';
import { exportEvents } from '@/lib/service/dashboard/export-events';
import { readAccess } from '@/lib/service/dashboard/session';

/** `?format=csv|json` and the filters of the events page. A filter that cannot be read is refused: a file does not show it. */
export async function GET(request: NextRequest): Promise<Response> {
  const access = await readAccess();
  if (!access) return new Response('Sign in to the dashboard first.\n', { status: 401 });
  const { searchParams } = request.nextUrl;
  const { format: asked, ...params } = Object.fromEntries(searchParams);
  const format = asked === 'json' ? 'json' : 'csv';
  const isReadable = !hasRepeatedName(searchParams) && Object.keys(params).every(isFilterName);
  const filter = isReadable ? parseEventFilter(params) : null;
  if (!filter) return new Response('A filter in this address cannot be read.\n', { status: 400 });
  const { from, to } = filter;
  const name = [access.programId, 'events', from, to].filter(Boolean).join('-');
  const { contentType, body } = await exportEvents(access.programId, filter, format);
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${name}.${format}"`,
      'cache-control': 'no-store',
    },
  });
}
