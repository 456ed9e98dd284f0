import { readCookie } from './cookie.ts';
import { assertTimeout } from './request.ts';
import {
  errorBody,
  isPage,
  isServiceUrl,
  parseBody,
  readClick,
  readPageUrl,
  readProgramId,
  trackUrl,
  type WireBody,
  withoutClickId,
} from './wire.ts';

// The tracker's calls through your own domain (docs/decisions/0012-tracker-cookies.md): blockers' lists contain neither the host
// nor the path, and the cookie is set by a response, so that Safari does not limit it to the 7 days of one that a script has written.

export type FirstPartyOptions = {
  /** The service's address without `/api/v1`, such as `https://tracking.example`. */
  baseUrl: string;
  /**
   * The visitor's address, which the service uses for its rate limit. Default: the last entry of `X-Forwarded-For`, which the
   * proxy before your app has written. Behind several, read the header that the outermost one sets.
   */
  clientAddress?: ((request: Request) => string | null | undefined) | undefined;
  /** How long the service may take. Default 5000 ms. */
  timeoutMs?: number | undefined;
};

const MAX_BODY_BYTES = 64 * 1024;
/** This much beyond the limit is read and dropped, so that the sender can read the response. */
const DISCARDED_BYTES = 64 * 1024;
const MAX_CLICK_ID_LENGTH = 255;

/**
 * Creates a handler for `POST …/click` and `…/lead` under your own path; pass that path to the tracker as `baseUrl`. It sends no
 * API key and forwards neither cookies nor an `Authorization` header, so it can do only what a browser can: a sale cannot be
 * reported through it (contract §1).
 *
 * Responds as the service does. Its own errors: 400 not JSON, 403 a page of another origin, 404 another path, 405, 413 over
 * 64 KiB, 502 a response that is not the service's, 503 no response in time.
 * @throws if `baseUrl` is not an http(s) URL, or `timeoutMs` not a time; the handler itself throws what `clientAddress` throws
 * @example
 * ```ts
 * // app/svc/[kind]/route.ts, for <TrackerProvider programId="…" baseUrl="/svc">
 * import { createFirstPartyHandler } from '@svc/tracker/server';
 *
 * export const POST = createFirstPartyHandler({ baseUrl: 'https://tracking.example' });
 * ```
 */
export function createFirstPartyHandler({
  baseUrl,
  clientAddress = lastForwardedFor,
  timeoutMs = 5000,
}: FirstPartyOptions) {
  if (!isServiceUrl(baseUrl)) {
    throw new Error(
      'createFirstPartyHandler needs baseUrl: the address of the service, such as https://tracking.example.',
    );
  }

  const limitMs = assertTimeout(timeoutMs);

  return async (request: Request): Promise<Response> => {
    const kind = /\/(click|lead)\/?$/.exec(new URL(request.url).pathname)?.[1] as 'click' | 'lead' | undefined;
    if (!kind) return refuse(404, 'not_found', 'Only click and lead are forwarded.');
    if (request.method !== 'POST') return refuse(405, 'method_not_allowed', 'Send a POST.', { allow: 'POST' });
    if ((request.headers.get('sec-fetch-site') ?? 'same-origin') !== 'same-origin') {
      return refuse(403, 'cross_site', 'Call this path from a page of the same origin.');
    }
    const text = await readText(request).catch(() => undefined);
    if (text === undefined) return refuse(400, 'invalid_json', 'The body ended before it was complete.');
    // The connection is closed: otherwise Node would read the rest of the body to find the next request.
    if (text === null) return refuse(413, 'body_too_large', 'Send at most 64 KiB.', { connection: 'close' });
    const body = parseBody(text);
    if (!body) return refuse(400, 'invalid_json', 'Send a JSON object.');

    const headers = forwardedHeaders(request, clientAddress(request));
    let response: Response;
    let raw: string;
    try {
      response = await fetch(trackUrl(baseUrl, kind), {
        method: 'POST',
        headers,
        body: text,
        redirect: 'manual',
        cache: 'no-store',
        signal: AbortSignal.timeout(limitMs),
      });
      raw = await response.text();
    } catch {
      return refuse(
        503,
        'unavailable',
        'The tracking service could not be reached, or did not respond in time. Try again.',
      );
    }
    const result = parseBody(raw);
    const isClick = kind === 'click' && response.ok;
    const isFromService = !isPage(raw) && (response.ok || response.status >= 400);
    // A lead's response may be empty or any text (contract §4).
    if (!isFromService || (isClick && !result)) {
      return refuse(502, 'bad_gateway', 'The response is not from the tracking service: check baseUrl.');
    }

    const sent = new Headers({ 'cache-control': 'no-store' });
    const retryAfter = response.headers.get('retry-after');
    if (retryAfter) sent.set('retry-after', retryAfter);
    const cookies = isClick && result ? decideCookies(result, body, readProbe(request)) : [];
    for (const cookie of cookies) sent.append('set-cookie', cookie);
    // Without a cookie the script would store the click ID itself.
    const isRefused = kind === 'click' && cookies.length === 0;
    return Response.json(isRefused ? withoutClickId(result ?? {}) : (result ?? {}), {
      status: response.status === 204 ? 200 : response.status,
      headers: sent,
    });
  };
}

/** The `Set-Cookie` headers for a click, as the tracker's script would write it. None for a refused link. */
function decideCookies(result: WireBody, click: WireBody, domain: string): string[] {
  const [clickId, seconds] = readClick(result);
  const pageUrl = readPageUrl(click);
  const partner = pageUrl?.searchParams.get('aff');
  if (!partner || typeof clickId !== 'string' || !clickId || clickId.length > MAX_CLICK_ID_LENGTH) return [];
  const common = `; Path=/; SameSite=Lax${pageUrl?.protocol === 'https:' ? '; Secure' : ''}`;
  const lifetime = `; Max-Age=${Math.floor(seconds)}${domain && `; Domain=${domain}`}`;
  const cookies = { svc_click_id: clickId, svc_partner: `${readProgramId(click)}${partner}` };
  return Object.entries(cookies).flatMap(([name, value]) => [
    ...(domain ? [`${name}=${common}; Max-Age=0`] : []), // a host-only duplicate would be read first
    `${name}=${encodeURIComponent(value)}${common}${lifetime}`,
  ]);
}

/** The widest domain, from the tracker's probe cookie. User-controlled, but browsers accept only their own site's domain. */
function readProbe(request: Request): string {
  const domain = readCookie('domain', { cookie: request.headers.get('cookie') ?? '' });
  return /^[a-z0-9.-]+$/i.test(domain) ? domain : '';
}

function forwardedHeaders(request: Request, address: string | null | undefined): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  const userAgent = request.headers.get('user-agent');
  if (address) headers.set('x-forwarded-for', address);
  if (userAgent) headers.set('user-agent', userAgent);
  return headers;
}

/** Earlier entries may be forged by the client. */
const lastForwardedFor = (request: Request) => request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();

/**
 * The body as text, or null if it is too large.
 * @throws if the client ends the connection before the body is complete
 */
async function readText(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES + DISCARDED_BYTES) return null;
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > MAX_BODY_BYTES + DISCARDED_BYTES) {
      await reader.cancel();
      break;
    }
    if (size <= MAX_BODY_BYTES) text += decoder.decode(value, { stream: true });
  }
  return size > MAX_BODY_BYTES ? null : text + decoder.decode();
}

const refuse = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json(errorBody(code, message), { status, headers: { 'cache-control': 'no-store', ...headers } });
