// What the integration's route handlers share: bounded bodies and times, request IDs, same-origin forms, error responses.
import 'server-only';
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { appEnv } from './env';
import { log } from './log';

const FORM_LIMIT = 4 * 1024;
/** This much beyond a limit is read and dropped, so that the sender can read the response; then the connection is closed. */
const DISCARDED = 64 * 1024;

/**
 * The body as text, exactly as it was sent: signatures cover the bytes, so verify first and parse after.
 * @returns `null` if it is larger than `limit` bytes, whatever Content-Length says, or if the sender hangs up
 */
export async function readBody(request: Request, limit: number): Promise<string | null> {
  if (Number(request.headers.get('content-length')) > limit + DISCARDED) return null;
  if (!request.body) return '';
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return size > limit ? null : Buffer.concat(chunks).toString('utf8');
      size += value.byteLength;
      if (size > limit + DISCARDED) {
        await reader.cancel();
        return null;
      }
      if (size <= limit) chunks.push(value);
    }
  } catch {
    return null; // the sender has hung up
  }
}

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** The request's ID in all logs: the sender's if it is well-formed, else a new one. */
export function readRequestId(headers: Headers): string {
  const given = headers.get('x-request-id') ?? '';
  return REQUEST_ID.test(given) ? given : randomUUID();
}

/** The fields of a form sent by one of your own pages, urlencoded as a plain `<form>` sends them, or the code for `refuse`. */
export async function readForm(request: Request): Promise<URLSearchParams | 'cross_site' | 'too_large'> {
  if (!isSameOrigin(request.headers, appEnv().APP_URL)) return 'cross_site';
  const body = await readBody(request, FORM_LIMIT);
  return body === null ? 'too_large' : new URLSearchParams(body);
}

/**
 * Whether one of your own pages sent the request. Every browser sends one of two headers; a request with neither does not come
 * from a browser and has no session, so it is refused too.
 */
export function isSameOrigin(headers: Headers, appUrl: string): boolean {
  const site = headers.get('sec-fetch-site');
  return site === null ? headers.get('origin') === new URL(appUrl).origin : site === 'same-origin';
}

/** Whether your scheduler or scraper sent the request: `Authorization: Bearer <CRON_SECRET>`. Without a secret, no request is accepted. */
export function isScheduler(request: Request): boolean {
  const given = request.headers.get('authorization') ?? ''; // read first, so that the route is not prerendered at build time
  const secret = appEnv().CRON_SECRET;
  // Hashes have one length, so the comparison takes the same time for every guess.
  if (secret && timingSafeEqual(hash(given), hash(`Bearer ${secret}`))) return true;
  if (given) {
    const reason = secret ? 'its Authorization is not Bearer CRON_SECRET' : 'CRON_SECRET is not set';
    log.warn(`cron: a call was refused: ${reason}`, { path: new URL(request.url).pathname });
  }
  return false;
}

/**
 * A timeout for calls that have none: to the database, the tracking service, Clerk. The work itself is not canceled; its result is
 * ignored.
 * @throws a `TimeoutError` if `promise` takes longer
 */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const error = Object.assign(new Error(`no response within ${milliseconds} ms`), { name: 'TimeoutError' });
    const timer = setTimeout(() => reject(error), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A cron route has a minute (`maxDuration`). Work it has started usually takes up to 25 s more: a batch of reports and one of deletions. */
const CRON_LIMIT_MS = 35_000;

/** A timer for a cron route that starts now: whether there is time for another batch. */
export function timeForCron(limitMs = CRON_LIMIT_MS): () => boolean {
  const end = performance.now() + limitMs;
  return () => performance.now() < end;
}

const hash = (text: string) => createHash('sha256').update(text).digest();

const REFUSALS = {
  bad_signature: [400, 'The signature does not match. Check the signing secret of this endpoint.'],
  unauthorized: [401, 'Send the header "Authorization: Bearer <CRON_SECRET>".'],
  cross_site: [403, 'Open the site and try again from there.'],
  too_large: [413, 'The body is too large.'],
  failed: [500, 'The request failed; see the log. Send it again later.'],
  clerk_refused: [502, 'Clerk refuses CLERK_SECRET_KEY. Copy it again: Clerk dashboard, API keys.'],
  clerk_unavailable: [502, 'Clerk could not be reached, or failed. Try again later.'],
  unavailable: [503, 'The event could not be processed completely; see the log. Send it again later.'],
} as const satisfies Record<string, readonly [status: number, error: string]>;

/** An error response: what happened and what to do, and a stable code. */
export function refuse(code: keyof typeof REFUSALS): Response {
  const [status, error] = REFUSALS[code];
  // Closes the connection if the body was not read: otherwise Node would read all of it to find the next request.
  const headers = {
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 413 && { connection: 'close' }),
  };
  return Response.json({ error, code }, { status, headers });
}

/**
 * Redirects a form post to a path of this app or the URL of a payment page. The Host header is not used. A path stays on the form's
 * host, because `form-action 'self'` blocks a redirect to another host, even one of your own.
 */
export function seeOther(url: string): Response {
  const app = new URL(appEnv().APP_URL);
  const { origin, href } = new URL(url, app);
  const location = origin === app.origin ? href.slice(origin.length) : href;
  return new Response(null, { status: 303, headers: { location } });
}
