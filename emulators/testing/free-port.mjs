// For tests: a port on which nothing listens. Where a listener can be passed on, reserve-port.ts is the better choice.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** @returns {Promise<number>} a port that was free a moment ago */
export async function freePort() {
  const probe = createServer();
  await once(probe.listen(0, 'localhost'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  await once(probe.close(), 'close');
  return port;
}
