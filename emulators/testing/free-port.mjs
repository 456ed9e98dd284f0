// For tests: a port on which nothing listens. If a listener can be passed on, reserve-port.ts is the better choice.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Each process draws from its own range, because another one could get the same port until the server listens. */
const FIRST_DRAWN = 20_000 + (process.pid % 30) * 400;

/** @returns {Promise<number>} a port that was free a moment ago, and that a system rarely gives to a connection meanwhile */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST_DRAWN, FIRST_DRAWN + 400);
    const probe = createServer();
    try {
      await once(probe.listen(port, 'localhost'), 'listening');
      await once(probe.close(), 'close');
      return port;
    } catch (error) {
      if (Reflect.get(Object(error), 'code') !== 'EADDRINUSE') throw error;
    }
  }
}
