import 'server-only';
import { decideSameSite } from '@/lib/integration/domain/decide-same-site';
import { appEnv } from '@/lib/integration/env';
import { readBody } from './read-body';

const LIMIT = 4 * 1024;

/** The fields of a form from the shop's own pages, or why it is refused. */
export async function readForm(request: Request): Promise<URLSearchParams | 'cross_site' | 'too_large'> {
  const secFetchSite = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  if (!decideSameSite({ secFetchSite, origin }, appEnv().APP_URL)) return 'cross_site';
  const body = await readBody(request, LIMIT);
  return body === null ? 'too_large' : new URLSearchParams(body);
}
