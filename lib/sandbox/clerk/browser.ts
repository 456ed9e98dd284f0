import 'server-only';
import { PUBLISHABLE_KEY } from '../switch.mjs';
import type { Answer } from './answer';
import type { Call } from './call';
import { clientCookie, clientUatCookies, cookieSuffix } from './cookies';
import { clerkErrors } from './errors';
import { createClient, reloadClient } from './queries/clients';
import type { ClientRecord, SessionRecord } from './records';
import { clientResource } from './resources/client';

export const COOKIE_SUFFIX = cookieSuffix(PUBLISHABLE_KEY);

export const isSecure = (call: Call) => call.origin.startsWith('https:');

/** The call's browser, made known with a cookie where it is new. */
export async function ensureClient(call: Call): Promise<ClientRecord> {
  if (call.client) return call.client;
  const { client, token } = await createClient(call.now);
  call.client = client;
  call.cookies.push(clientCookie(token, isSecure(call)));
  return client;
}

/** The browser as the database has it now, after a change. */
export async function refreshClient(call: Call): Promise<ClientRecord> {
  const client = await reloadClient((await ensureClient(call)).id, call.now);
  call.client = client;
  return client;
}

/** The signed-in session of this browser; throws Clerk's 401 where there is none. */
export function requireSession(call: Call): SessionRecord {
  if (!call.client?.session) throw clerkErrors.notSignedIn();
  return call.client.session;
}

/** A resource in the envelope of the Frontend API, with the browser's state and the cookie that tells of it. */
export async function answerBrowser(call: Call, response: unknown): Promise<Answer> {
  const { client, origin, now } = call;
  call.cookies.push(...clientUatCookies(client?.session?.createdAt ?? null, COOKIE_SUFFIX, isSecure(call)));
  return { body: { response, client: client ? await clientResource(client, origin, now) : null } };
}
