// Calls of the app to a provider that is not emulated: they pass through this process, so that the trace shows them, and are
// forwarded unchanged.
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Forwards } from '../core/config';
import { describeError } from '../core/format';
import { isLocalAddress } from '../core/guard';
import type { Provider } from '../core/signature';
import { UNREACHED } from '../core/trace-http';

const ORIGINS: Record<Provider, string> = { clerk: 'https://api.clerk.com', stripe: 'https://api.stripe.com' };

/**
 * Reads `stripe` or `clerk=http://localhost:4000`. The address is the provider's own or on this machine: the calls contain its
 * keys, which no other host may see.
 * @returns null for any other text
 */
export function readForward(text: string): Forwards | null {
  const [name = '', address] = text.split('=');
  if (name !== 'clerk' && name !== 'stripe') return null;
  const url = address ?? ORIGINS[name];
  return url === ORIGINS[name] || isLocalAddress(url) ? { [name]: url } : null;
}

/** Stripe accepts its key as a Bearer token, or as the user name of Basic authentication. */
function hasLiveKey(authorization: string | null): boolean {
  const [, basic] = /^Basic (\S+)$/i.exec(authorization ?? '') ?? [];
  return /\b[a-z]+_live_/.test(basic ? Buffer.from(basic, 'base64').toString() : (authorization ?? ''));
}

/** Headers of the connection, not of the message; `fetch` decompresses a body. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'host', 'content-length'];
const OF_THE_ENCODING = ['content-encoding', 'content-length', 'transfer-encoding', 'connection'];

type Env = { Bindings: HttpBindings; Variables: { [UNREACHED]?: boolean } };

const without = (headers: Headers, names: string[]): Headers => {
  const rest = new Headers(headers);
  for (const name of names) rest.delete(name);
  return rest;
};

/**
 * A provider's API under `prefix`, forwarded. It adds nothing to a call, so it gives no access that the caller does not have.
 * @param upstream the provider's address; its path is prefixed to that of the call
 */
export function forwardTo(upstream: string, prefix: string): Hono<Env> {
  const app = new Hono<Env>();
  app.all('*', async (c) => {
    const { method, headers, body, signal } = c.req.raw;
    if (!isLocalAddress(upstream) && hasLiveKey(headers.get('authorization'))) {
      const message =
        'This address is for test keys: a call with a live key is not forwarded. Use the provider’s own address.';
      return c.json({ error: { message } }, 403);
    }
    const { pathname, search } = new URL(c.req.url);
    try {
      const response = await fetch(upstream + pathname.slice(prefix.length) + search, {
        method,
        headers: without(headers, OF_THE_CONNECTION),
        body,
        signal,
        redirect: 'manual',
        ...(body && { duplex: 'half' }),
      });
      return new Response(response.body, {
        status: response.status,
        headers: without(response.headers, OF_THE_ENCODING),
      });
    } catch (error) {
      // As if the caller had called the provider directly: the connection fails.
      c.set(UNREACHED, true);
      c.env.outgoing.destroy();
      return c.text(`${new URL(upstream).host} cannot be reached: ${describeError(error)}`, 502);
    }
  });
  return app;
}
