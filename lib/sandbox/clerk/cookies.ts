import { createHash } from 'node:crypto';

const YEAR_SECONDS = 31_536_000;
const SUFFIX_LENGTH = 8;

/** What Clerk appends to its cookies' names, so that several instances can live on one origin. */
export function cookieSuffix(publishableKey: string): string {
  return createHash('sha1').update(publishableKey).digest('base64url').slice(0, SUFFIX_LENGTH);
}

export function readCookie(request: Request, name: string): string | null {
  for (const pair of request.headers.get('cookie')?.split(';') ?? []) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return null;
}

type CookieOptions = { isSecure: boolean; isHttpOnly?: boolean; maxAge?: number };

function serialiseCookie(name: string, value: string, { isSecure, isHttpOnly, maxAge = YEAR_SECONDS }: CookieOptions) {
  const flags = ['Path=/', 'SameSite=Lax', `Max-Age=${maxAge}`];
  if (isSecure) flags.push('Secure');
  if (isHttpOnly) flags.push('HttpOnly');
  return [`${name}=${value}`, ...flags].join('; ');
}

const both = (name: string, suffix: string) => [name, `${name}_${suffix}`];

/** Which browser this is. Only the Frontend API reads it. */
export function clientCookie(token: string, isSecure: boolean): string {
  return serialiseCookie('__client', token, { isSecure, isHttpOnly: true });
}

/** When the browser last signed in, in Unix seconds; 0 says signed out. The server compares it with the session's `iat`. */
export function clientUatCookies(signedInAt: Date | null, suffix: string, isSecure: boolean): string[] {
  const seconds = signedInAt ? Math.floor(signedInAt.getTime() / 1000) : 0;
  return both('__client_uat', suffix).map((name) => serialiseCookie(name, String(seconds), { isSecure }));
}

/** The session token where clerk-js and the server look for it; null removes it. */
export function sessionCookies(token: string | null, suffix: string, isSecure: boolean): string[] {
  const options = token === null ? { isSecure, maxAge: 0 } : { isSecure };
  return both('__session', suffix).map((name) => serialiseCookie(name, token ?? '', options));
}
