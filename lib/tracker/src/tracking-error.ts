/**
 * Why there is no response that the contract names:
 * - `unauthorized`: 401 or 403, the API key is missing, wrong or revoked;
 * - `too_large`: 413, the body is over 64 KiB;
 * - `rate_limited`: 429, wait for `retryAfter` seconds;
 * - `unavailable`: 5xx, after one retry;
 * - `network`: no response, after one retry;
 * - `timeout`: no response within `timeoutMs`, retries included;
 * - `aborted`: your own `signal` ended the call;
 * - `unexpected`: a response that the contract does not name, such as a redirect or a proxy's page.
 */
export type TrackingErrorKind =
  | 'unauthorized'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'unexpected';

type Details = {
  status?: number | undefined;
  code?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
};

const RETRYABLE: readonly TrackingErrorKind[] = ['rate_limited', 'unavailable', 'network', 'timeout', 'aborted'];

/**
 * Thrown by the server client for everything that is not an expected response (2xx, 400, 409; contract §4 and §7).
 * @example
 * ```ts
 * import { TrackingError } from '@svc/tracker/server';
 *
 * export function retryAfterSeconds(error: unknown): number | null {
 *   return error instanceof TrackingError && error.isRetryable ? (error.retryAfter ?? 60) : null;
 * }
 * ```
 */
export class TrackingError extends Error {
  override readonly name = 'TrackingError';
  readonly kind: TrackingErrorKind;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** The service's error code; `unknown` if its response has none, undefined without a readable response. */
  readonly code: string | undefined;
  /** Seconds to wait, from `Retry-After`. Only for `rate_limited`. */
  readonly retryAfter: number | undefined;

  constructor(kind: TrackingErrorKind, message: string, { status, code, retryAfter, cause }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Whether the same call may succeed later, unchanged. */
  get isRetryable(): boolean {
    return RETRYABLE.includes(this.kind);
  }
}
