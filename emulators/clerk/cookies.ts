import { createHash } from 'node:crypto';
import { serialize } from 'hono/utils/cookie';
import type { Emulator } from '../core/emulator';

const YEAR_SECONDS = 31_536_000;
const SUFFIX_LENGTH = 8;

/** What Clerk appends to the names of its cookies, so that instances can share a host. Cookies ignore ports. */
export function cookieSuffix(publishableKey: string): string {
  return createHash('sha1').update(publishableKey).digest('base64url').slice(0, SUFFIX_LENGTH);
}

/** The cookie that says which browser this is. Only the Frontend API reads it, so it needs no plain name. */
export const clientCookieName = ({ publishableKey }: Emulator): string => `__client_${cookieSuffix(publishableKey)}`;

const attributes = ({ config }: Emulator) => ({
  path: '/',
  sameSite: 'Lax' as const,
  maxAge: YEAR_SECONDS,
  secure: config.url.startsWith('https:'),
});

export const clientCookie = (emulator: Emulator, token: string): string =>
  serialize(clientCookieName(emulator), token, { ...attributes(emulator), httpOnly: true });

const bothNames = (name: string, { publishableKey }: Emulator) => [name, `${name}_${cookieSuffix(publishableKey)}`];

/** When the browser last signed in, in Unix seconds; 0 means signed out. Servers compare it with the session's `iat`. */
export function clientUatCookies(emulator: Emulator, signedInAt: number | null): string[] {
  const seconds = String(signedInAt === null ? 0 : Math.floor(signedInAt / 1000));
  return bothNames('__client_uat', emulator).map((name) => serialize(name, seconds, attributes(emulator)));
}

/** The session token where clerk-js and the server look for it; null removes it. */
export function sessionCookies(emulator: Emulator, token: string | null): string[] {
  const options = { ...attributes(emulator), ...(token === null && { maxAge: 0 }) };
  return bothNames('__session', emulator).map((name) => serialize(name, token ?? '', options));
}
