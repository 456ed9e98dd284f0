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
