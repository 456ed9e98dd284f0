import { readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { readAccess } from '@/lib/service/dashboard/session';

/** The version of the program's feed: a live page is rendered again only when it changes. */
export async function GET(): Promise<Response> {
  const access = await readAccess();
  if (!access) return new Response('Sign in to the dashboard first.\n', { status: 401 });
  return new Response(await readFeedVersion(access.programId), { headers: { 'cache-control': 'no-store' } });
}
