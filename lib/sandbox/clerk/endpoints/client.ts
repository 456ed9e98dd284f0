import 'server-only';
import type { Answer } from '../answer';
import { answerBrowser, COOKIE_SUFFIX, ensureClient, isSecure, refreshClient } from '../browser';
import type { Call } from '../call';
import { clientUatCookies, sessionCookies } from '../cookies';
import { clerkErrors } from '../errors';
import { resolveRedirect } from '../origin';
import { endClientSession } from '../queries/sessions';
import { clientResource } from '../resources/client';
import { sessionToken } from '../resources/session';

export async function readClient(call: Call): Promise<Answer> {
  return answerBrowser(call, call.client ? await clientResource(call.client, call.origin, call.now) : null);
}

export async function makeClient(call: Call): Promise<Answer> {
  return answerBrowser(call, await clientResource(await ensureClient(call), call.origin, call.now));
}

/** Signs this browser out. */
export async function signOut(call: Call): Promise<Answer> {
  if (!call.client) return answerBrowser(call, null);
  await endClientSession(call.client.id, 'removed', call.now);
  return answerBrowser(call, await clientResource(await refreshClient(call), call.origin, call.now));
}

/**
 * A page load whose session token has expired is sent here by the server, and back with a fresh one. Only back into the
 * app: `redirect_url` on another origin is refused.
 */
export async function handshake(call: Call): Promise<Response> {
  const target = resolveRedirect(call.query.get('redirect_url') ?? '/', call.origin);
  if (!target) throw clerkErrors.urlInvalid('redirect_url');
  const session = call.client?.session ?? null;
  const token = session ? await sessionToken(session, call.origin, call.now) : null;
  call.cookies.push(
    ...sessionCookies(token, COOKIE_SUFFIX, isSecure(call)),
    ...clientUatCookies(session?.createdAt ?? null, COOKIE_SUFFIX, isSecure(call)),
  );
  return new Response(null, { status: 307, headers: { location: target, 'cache-control': 'no-store' } });
}
