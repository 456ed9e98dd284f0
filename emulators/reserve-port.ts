import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

const TRIED = 100;

/**
 * Takes the first free port from `first` on, before the state is opened: programs that start at once each get their own.
 * @returns a listener for `server.listen` to take over; null if none of 100 ports is free
 */
export async function reservePort(first: number): Promise<{ port: number; listener: Server } | null> {
  for (let port = first; port < first + TRIED; port++) {
    const listener = createServer((socket) => socket.destroy());
    try {
      await checkPort(port);
      await once(listener.listen(port, 'localhost'), 'listening');
      return { port, listener };
    } catch {
      // The next one.
    }
  }
  return null;
}

/**
 * Probes a port on both addresses of `localhost` and on the wildcard addresses: macOS lets two servers each hold one of
 * them. Ignores addresses that this machine does not have.
 * @throws if the port is taken, or this user may not open it
 */
export async function checkPort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1', '0.0.0.0', '::']) {
    const probe = createServer();
    try {
      await once(probe.listen(port, host), 'listening');
      await once(probe.close(), 'close');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' || code === 'EACCES') throw error;
    }
  }
}
