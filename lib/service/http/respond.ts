import 'server-only';
import { describeRefusal, type ErrorCode, type Refusal, refuse } from '../errors';
import { codeOf, log, readRequestId, withRequestId } from '../log';

/** The result of an endpoint: a body for 200, or a refusal. */
export type EndpointResult = { ok: true; body: object } | Refusal;

/** docs/decisions/0005: readable from every origin, never with cookies. */
export const CORS_HEADERS = { 'access-control-allow-origin': '*' };

export function respond(result: EndpointResult, headers: Record<string, string> = {}): Response {
  const all: Record<string, string> = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers };
  if (result.ok) return Response.json(result.body, { headers: all });
  const { status, body } = describeRefusal(result);
  if (status === 401) all['www-authenticate'] = 'Bearer';
  // Otherwise Node would read the rest of the body to find the next request.
  if (status === 413) all.connection = 'close';
  if (result.retryAfterSeconds) all['retry-after'] = String(result.retryAfterSeconds);
  return Response.json(body, { status, headers: all });
}

/** The outbox waits 4 s, other callers 5: they get a response even if every connection of the pool hangs. */
const LIMIT_MS = 3_500;

/**
 * Runs an endpoint, and turns a failure of the store into 503 and a defect into 500. The caller may send the request again, since
 * nothing is acknowledged before it is committed. A request that was committed late is recognized when it is repeated, except for
 * a click.
 */
export async function guard<Result>(run: () => Promise<Result>): Promise<Result | Refusal> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(), { name: 'TimeoutError' })), LIMIT_MS);
  });
  try {
    return await refuseFailure(() => Promise.race([run(), late]));
  } finally {
    clearTimeout(timer);
  }
}

/** Like `guard` without its limit, for the scheduler's jobs. */
export async function refuseFailure<Result>(run: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await run();
  } catch (error) {
    // Only the kind of error and its location: messages can contain the statement's values.
    const { name = 'Error', stack } = error as { name?: string; stack?: string };
    const fields = { error: name, code: codeOf(error), at: /^ {4}(at .*)$/m.exec(stack ?? '')?.[1] };
    const isDefect = DEFECTS.some((kind) => error instanceof kind);
    log.error(isDefect ? 'an endpoint failed' : 'the store failed', fields);
    return refuse(isDefect ? 'internal_error' : 'store_unavailable');
  }
}

/** Thrown by the language. The database and its drivers throw their own errors. */
const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Handles one request: its ID is in every log line and in the response. */
export async function handle(request: Request, work: () => Promise<Response>): Promise<Response> {
  const requestId = readRequestId(request.headers);
  return withRequestId(requestId, async () => {
    const response = await work();
    response.headers.set('x-request-id', requestId);
    return response;
  });
}

/** The preflight response for browser endpoints. The API key's header is not allowed: a key must not be in a browser. */
export function respondToPreflight(): Response {
  const headers = {
    ...CORS_HEADERS,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '86400',
  };
  return new Response(null, { status: 204, headers });
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

function handlerForAll(code: ErrorCode, headers: Record<string, string> = {}): Record<Method, () => Response> {
  const handler = () => respond(refuse(code), headers);
  return { GET: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler };
}

/** Handlers for methods that an endpoint does not support. */
export const refuseMethods = (...allowed: Method[]): Record<Method, () => Response> =>
  handlerForAll('method_not_allowed', { allow: allowed.join(', ') });

/** Handlers for a path that is not an endpoint. */
export const refuseRoute = (): Record<Method, () => Response> => handlerForAll('not_found');
