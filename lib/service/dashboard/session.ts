import 'server-only';
import { randomBytes } from 'node:crypto';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { connection } from 'next/server';
import { cache } from 'react';
import { hashSecret } from '../api-key';
import { serviceEnv } from '../env';
import type { SearchParams } from './event-filter';
import { decideLocalDemo } from './local-demo';
import { sessionCookie } from './session-cookie';
import {
  type DashboardAccess,
  deleteSession,
  findAccessByKey,
  findAccessBySession,
  insertSession,
} from './session-queries';
import { writeSignInPath } from './sign-in-path';

const SESSION_HOURS = 12;

/** The demo's programs with their API keys if the dashboard runs on its owner's machine; otherwise none. */
export async function findDemoPrograms(): Promise<Array<{ id: string; apiKey: string }>> {
  const { SVC_API_KEY, SVC_OPEN_API_KEY, APP_URL } = serviceEnv();
  const received = await headers();
  const hosts = [received.get('host'), received.get('x-forwarded-host')];
  // Only local runs set the second key.
  const isDemo = SVC_API_KEY && SVC_OPEN_API_KEY && decideLocalDemo({ appUrl: APP_URL, hosts });
  if (!isDemo) return [];
  return [
    { id: 'prg_demo', apiKey: SVC_API_KEY },
    { id: 'prg_open', apiKey: SVC_OPEN_API_KEY },
  ];
}

/** The program that this request may see, or null. Read once per request. */
export const readAccess = cache(async (): Promise<DashboardAccess | null> => {
  await connection();
  const now = new Date();
  const token = (await cookies()).get(sessionCookie(serviceEnv().APP_URL).name)?.value;
  const signedIn = token ? await findAccessBySession(hashSecret(token), now) : null;
  if (signedIn) return signedIn;
  const [demo] = await findDemoPrograms();
  return demo ? findAccessByKey(hashSecret(demo.apiKey), now) : null;
});

/**
 * The program that this page may show; without access, redirects to the sign-in page and from there back to `path` with its
 * query. Every page calls it.
 */
export async function requireAccess(path: string, params: SearchParams = {}): Promise<DashboardAccess> {
  return (await readAccess()) ?? redirect(writeSignInPath(path, params));
}

/** Starts a session for a program API key, replacing the browser's session. @returns whether there is such a key */
export async function startSession(apiKey: string): Promise<boolean> {
  const access = await findAccessByKey(hashSecret(apiKey), new Date());
  if (!access) return false;
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(Date.now() + SESSION_HOURS * 3_600_000);
  await endSession();
  await insertSession(access, hashSecret(token), expires);
  const { name, ...attributes } = sessionCookie(serviceEnv().APP_URL);
  (await cookies()).set(name, token, { ...attributes, expires });
  return true;
}

export async function endSession(): Promise<void> {
  const jar = await cookies();
  const { name, ...attributes } = sessionCookie(serviceEnv().APP_URL);
  const token = jar.get(name)?.value;
  if (token) await deleteSession(hashSecret(token));
  jar.delete({ name, ...attributes });
}

/** The origin of this service and, since it is embedded in the shop, of partners' links. */
export async function readOwnOrigin(): Promise<string> {
  return serviceEnv().APP_URL?.replace(/\/+$/, '') ?? `https://${(await headers()).get('host')}`;
}
