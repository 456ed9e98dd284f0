import type { MiddlewareHandler } from 'hono';
import type { Emulator } from './emulator';
import type { Lane } from './profile';

/** Clerk's own scripts say nothing about the app; event streams never end. */
const NOT_RECORDED = /^\/clerk\/npm\/|^\/control\/stream$/;
const READABLE = /json|form|text/;
const LONGEST_BODY = 256 * 1024;

/** Whether bodies of this media type are recorded. Pages are not: a form that is shown again contains what was typed into it. */
export const isRecorded = (type: string): boolean => READABLE.test(type) && !type.includes('html');

/** Set by a handler on its context if the provider did not respond: the response then says why, and is only recorded. */
export const UNREACHED = 'unreached';

export const VISITOR_COOKIE = 'emulators_visitor';
export const BLOCKER_COOKIE = 'emulators_blocker';
/** Which data the browser was last used with. */
export const DATA_COOKIE = 'emulators_data';

/** Who sent a request, as far as its headers show. */
export function senderOf(headers: Record<string, string | string[] | undefined>): Lane {
  if (headers['svix-id']) return 'clerk';
  if (headers['stripe-signature']) return 'stripe';
  // Node's fetch sends `sec-fetch-mode` too, but not this one.
  const isBrowser = Boolean(headers['sec-fetch-site']) || String(headers['user-agent'] ?? '').startsWith('Mozilla/');
  return isBrowser ? 'browser' : 'app';
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((entry) => entry.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** Records what a provider receives and sends back. */
export function traceProvider(
  { trace }: Emulator,
  to: Extract<Lane, 'clerk' | 'stripe'>,
): MiddlewareHandler<{ Variables: { [UNREACHED]?: boolean } }> {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    if (NOT_RECORDED.test(pathname) || c.req.method === 'OPTIONS') return next();
    const at = new Date();
    const startedAt = performance.now();
    const request = c.req.raw.clone();
    await next();
    const durationMs = Math.round(performance.now() - startedAt);
    const headers = Object.fromEntries(request.headers);
    const visitor = readCookie(headers.cookie, VISITOR_COOKIE);
    const [sent, received] = await Promise.all([readText(request), readText(c.res.clone())]);
    trace.record({
      at: at.toISOString(),
      from: senderOf(headers),
      to,
      method: c.req.method,
      path: pathname + search,
      status: c.get(UNREACHED) ? null : c.res.status,
      duration_ms: durationMs,
      request: { headers, body: sent },
      response: { headers: Object.fromEntries(c.res.headers), body: received },
      ...(visitor && { visitor }),
    });
  };
}

/**
 * The beginning of a copy's body as text; empty if there is none, or its type is not recorded. The rest is discarded, but
 * not awaited: that ends once the original is read, which has to wait for this.
 */
async function readText(copy: Request | Response): Promise<string> {
  const { body, headers } = copy;
  if (!body) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  if (isRecorded(headers.get('content-type') ?? '')) {
    let length = 0;
    for (let part = await reader.read(); !part.done && length < LONGEST_BODY; part = await reader.read()) {
      length += part.value.byteLength;
      chunks.push(part.value);
    }
  }
  reader.cancel().catch(() => {});
  return Buffer.concat(chunks).toString('utf8');
}

const MOST_WARNINGS = 200;
const warned = new Set<string>();

/**
 * Prints a call that the emulators do not cover, once: an app may catch the error and continue, as if what it asked for did not exist,
 * and without a control room only this says so.
 */
export function warnNotCovered(provider: 'Clerk' | 'Stripe', route: string): void {
  const text = `Not covered by the ${provider} emulator: ${route}`;
  if (warned.has(text) || warned.size >= MOST_WARNINGS) return;
  warned.add(text);
  console.warn(text);
  if (warned.size === MOST_WARNINGS) console.warn('Further addresses that are not covered are not printed.');
}
