// One instance as an HTTP server: both providers, their pages, the control routes and the control room on one origin.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Server as Listener } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { clerkApp } from './clerk/index';
import { controlRoutes } from './control-room/control';
import { controlRoom } from './control-room/index';
import { ScenarioRuns } from './control-room/scenario-runs';
import { KEEP_ALIVE_MS } from './core/config';
import type { Emulator } from './core/emulator';
import { traceProvider } from './core/trace-http';
import { forwardTo } from './recorder/forward';
import { stripeApi } from './stripe/index';
import { hostedPages } from './stripe/pages/index';

const onError = (c: Context) => c.json({ error: 'The body is too large.', code: 'too_large' }, 413);
const formLimit = bodyLimit({ maxSize: 64 * 1024, onError });
const stateLimit = bodyLimit({ maxSize: 512 * 1024 * 1024, onError });
/** Stripe's APIs. Only the first is emulated; a call to another one gets an error in Stripe's format, too. */
const STRIPE_APIS = ['/v1', '/v2', '/oauth'];
const TAKES_STATE = ['/control/import', '/actions/import'];

/** Every route of an instance. */
export function createApp(emulator: Emulator): Hono {
  const { forwards = {} } = emulator.config;
  const app = new Hono();
  const runs = new ScenarioRuns(emulator);
  app.use('/clerk/*', traceProvider(emulator, 'clerk'));
  for (const path of [...STRIPE_APIS, '/stripe']) app.use(`${path}/*`, traceProvider(emulator, 'stripe'));
  if (forwards.clerk) app.route('/clerk', forwardTo(forwards.clerk, '/clerk'));
  else app.route('/clerk', clerkApp(emulator));
  for (const path of STRIPE_APIS) {
    if (forwards.stripe) app.route(path, forwardTo(forwards.stripe, ''));
    else app.route(path, stripeApi(emulator, path === '/v1' ? undefined : []));
  }
  // Nothing has such a name: the database refuses NUL. The APIs above have errors of their own for it.
  app.use((c, next) => (c.req.url.includes('%00') ? Promise.resolve(c.notFound()) : next()));
  // The APIs above have limits of their own.
  app.use((c, next) => (TAKES_STATE.includes(c.req.path) ? stateLimit : formLimit)(c, next));
  app.route('/stripe', hostedPages(emulator));
  app.route('/control', controlRoutes(emulator, runs));
  app.route('/', controlRoom(emulator, runs));
  return app;
}

/**
 * Serves an instance on its own address, through `listener` if given, and sends what an earlier run left undelivered.
 * @returns a function that stops the server. Running requests have a second to finish before their connections are closed. The
 *   instance stays open
 */
export async function serveEmulator(emulator: Emulator, listener?: Listener): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(emulator.config.url);
  const server = createAdaptorServer({ fetch: createApp(emulator).fetch }) as Server;
  await once(server.listen(listener ?? { host: hostname, port: Number(port) }), 'listening');
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  emulator.deliveries.wake();
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref(); // event streams never end by themselves
    await closed;
  };
}
