import { TrackingError } from './tracking-error.ts';
import { isPage, parseBody, readError, type ServiceError, type WireBody } from './wire.ts';

/** The result of a response that the contract names (§4, §7): a value, never an exception. */
export type TrackResult<Data> =
  | { ok: true; status: number; data: Data }
  | { ok: false; status: 400 | 409; error: ServiceError };

type Call<Data> = {
  url: string;
  apiKey: string;
  body: object;
  read: (body: WireBody) => Data;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  requestId: string | undefined;
};

/** Long enough for a restarting process to be replaced, short compared with the timeout. */
const RETRY_DELAY_MS = 150;

/** The longest that Node's timers can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** One call within one deadline, retried once after a network error or a 5xx (docs/decisions/0005-wire-format.md). */
export async function request<Data>(call: Call<Data>): Promise<TrackResult<Data>> {
  const deadline = AbortSignal.timeout(call.timeoutMs);
  const signal = call.signal ? AbortSignal.any([deadline, call.signal]) : deadline;
  // Asks `deadline` itself, which keeps it alive: `AbortSignal.any` does not, and Node could collect the time-out before it ends.
  const ended = (cause: unknown) =>
    deadline.aborted
      ? new TrackingError('timeout', `The tracking service did not respond within ${call.timeoutMs} ms.`, { cause })
      : new TrackingError('aborted', 'The call to the tracking service was ended by its signal.', { cause });

  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(call, signal);
    } catch (error) {
      if (signal.aborted) throw ended(error);
      const isRepeatable = error instanceof TrackingError && (error.kind === 'network' || error.kind === 'unavailable');
      if (attempt === 2 || !isRepeatable) throw error;
      await delay(RETRY_DELAY_MS * (0.5 + Math.random()), signal);
    }
  }
}

async function send<Data>(
  { url, apiKey, body, read, requestId }: Call<Data>,
  signal: AbortSignal,
): Promise<TrackResult<Data>> {
  // Before the try: what cannot be sent is the caller's error, not the network's.
  const init: RequestInit = {
    method: 'POST',
    headers: new Headers({
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(requestId && { 'x-request-id': requestId }),
    }),
    body: JSON.stringify(body),
    redirect: 'manual', // a followed redirect would turn the POST into a GET, or leave without the key
    cache: 'no-store',
    signal,
  };
  let response: Response;
  let raw: string;
  try {
    response = await fetch(url, init);
    raw = await response.text();
  } catch (cause) {
    throw new TrackingError('network', `The tracking service at ${new URL(url).host} could not be reached.`, { cause });
  }
  const { status } = response;
  const parsed = parseBody(raw);
  // The body may be empty or any text (contract §4), but a page is a proxy's, not the service's.
  if (isPage(raw)) throw refusal(response, null);
  if (response.ok) return { ok: true, status, data: read(parsed ?? {}) };
  if (status === 400 || status === 409) return { ok: false, status, error: readError(parsed ?? {}) };
  throw refusal(response, parsed);
}

function refusal({ status, headers }: Response, body: WireBody | null) {
  const error = body && readError(body);
  const details = { status, code: error?.code };
  if (status === 401 || status === 403) {
    const message = `The tracking service responded ${status}: check SVC_API_KEY, and whether baseUrl is the service's address.`;
    return new TrackingError('unauthorized', message, details);
  }
  if (status === 413) return new TrackingError('too_large', 'The tracking service takes no body over 64 KiB.', details);
  if (status === 429) {
    const retryAfter = readRetryAfter(headers.get('retry-after'));
    return new TrackingError('rate_limited', 'The tracking service limits the rate: call less often.', {
      ...details,
      retryAfter,
    });
  }
  if (status >= 500) return new TrackingError('unavailable', `The tracking service responded ${status}.`, details);
  const said = error ? `: ${error.message}` : '. Check that baseUrl is the address of the service.';
  return new TrackingError('unexpected', `The tracking service responded ${status}${said}`, details);
}

/**
 * The seconds of a `Retry-After` header, which has their number or a date; undefined if it has neither.
 * @example
 * ```ts
 * import { readRetryAfter } from '@svc/tracker/server';
 *
 * const response = await fetch('https://tracking.example/api/v1/events');
 * console.info(readRetryAfter(response.headers.get('retry-after')) ?? 'no pause');
 * ```
 */
export function readRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** A time limit that Node's timers can wait, in whole milliseconds: `AbortSignal.timeout` throws at a fraction. */
export function assertTimeout(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return Math.ceil(timeoutMs);
  throw new Error(`timeoutMs has to be above 0 and at most ${MAX_TIMEOUT_MS}, which is 24 days. It is ${timeoutMs}.`);
}

/** Resolves early if the signal ends the call; the next attempt then fails at once. */
const delay = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
