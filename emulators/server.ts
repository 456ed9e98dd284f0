// One instance as an HTTP server: both providers, their pages, the control routes and the control room on one origin.
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { clerkApp } from './clerk/index';
import { controlRoutes } from './control-room/control';
import { controlRoom } from './control-room/index';
import { ScenarioRuns } from './control-room/scenario-runs';
import type { Emulator } from './core/emulator';
import { traceProvider } from './core/trace-http';
import { stripeApi } from './stripe/index';
import { hostedPages } from './stripe/pages/index';

/** Every route of an instance. */
export function createApp(emulator: Emulator): Hono {
  const app = new Hono();
  const runs = new ScenarioRuns(emulator);
  app.use('/clerk/*', traceProvider(emulator, 'clerk'));
  app.use('/v1/*', traceProvider(emulator, 'stripe'));
  app.use('/stripe/*', traceProvider(emulator, 'stripe'));
  app.route('/clerk', clerkApp(emulator));
  app.route('/v1', stripeApi(emulator));
  app.route('/stripe', hostedPages(emulator));
  app.route('/control', controlRoutes(emulator, runs));
  app.route('/', controlRoom(emulator, runs));
  return app;
}

/**
 * Serves an instance on its own address, and sends what an earlier run has left undelivered.
 * @returns ends it: requests under way are finished, open connections closed
 */
export async function serveEmulator(emulator: Emulator): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(emulator.config.url);
  const server = await new Promise<Server>((resolve, reject) => {
    const started = serve({ fetch: createApp(emulator).fetch, hostname, port: Number(port) }, () => {
      started.off('error', reject);
      resolve(started as Server);
    });
    started.once('error', reject);
  });
  emulator.deliveries.wake();
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref(); // event streams never end by themselves
    await closed;
    await emulator.close();
  };
}
