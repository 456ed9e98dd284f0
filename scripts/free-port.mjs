import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that nobody listens on at this moment.
 * @param {string} host
 */
export async function freePort(host) {
  const probe = createServer();
  probe.listen(0, host);
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * The port that PORT names.
 * @param {Record<string, string | undefined>} env
 */
export function readPort(env) {
  const port = Number(env.PORT ?? 3000);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error('PORT is malformed (has to be a number from 1 to 65535). Leave it unset for 3000.');
}

/** Otherwise whoever listens there would be taken for the app. @param {number} port */
export async function assertPortIsFree(port) {
  const probe = createServer();
  probe.listen(port, 'localhost');
  try {
    await once(probe, 'listening');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw new Error(`Port ${port} is taken. Set PORT to another one, for instance: PORT=${port + 1} npm run dev`);
  }
  probe.close();
  await once(probe, 'close');
}
