// Who may use the control routes and the control room: they have no password, so other sites must not reach them.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import type { Config } from './config';

type Request = { method: string; host: string; origin: string | undefined };

/**
 * Whether a request comes from this machine's own pages or programs.
 * - The `Host` is a loopback name or the configured one. A name of another site that resolves to this machine (DNS
 *   rebinding) is refused.
 * - A request that changes state comes from a page of the emulators or the app, or from a program, which sends no `Origin`.
 * @returns why not, or null
 */
export function findRefusal({ method, host, origin }: Request, { url, appUrl }: Config): string | null {
  const name = hostnameOf(host);
  if (!name || !(isLoopback(name) || name === new URL(url).hostname)) {
    return `The host ${host} is not this emulator's. Use ${url}.`;
  }
  if (method === 'GET' || method === 'HEAD' || origin === undefined) return null;
  const isOwn = URL.canParse(origin) && (new URL(origin).host === host || origin === new URL(appUrl).origin);
  return isOwn ? null : `Requests from pages of ${origin} are refused.`;
}

/** The same for a request to Hono. */
export function findRefusalOf(req: HonoRequest, config: Config): string | null {
  const host = req.header('host') ?? new URL(req.url).host;
  return findRefusal({ method: req.method, host, origin: req.header('origin') }, config);
}

/** Refuses with 403 what `findRefusal` names. */
export function guard(config: Config): MiddlewareHandler {
  return async (c, next) => {
    const error = findRefusalOf(c.req, config);
    if (error) return c.json({ error, code: 'forbidden_origin' }, 403);
    await next();
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares two secrets. Digests have one length, so it takes the same time for every guess. */
export const isSameSecret = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));

function hostnameOf(host: string): string | null {
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}

const isLoopback = (name: string): boolean => isThisMachine(name) || name.endsWith('.localhost');

/** Whether a host name stands for this machine without a lookup. */
export const isThisMachine = (name: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name);

/** Whether an address or origin is on this machine; false for any other text. */
export const isLocalAddress = (text: string): boolean => URL.canParse(text) && isThisMachine(new URL(text).hostname);
