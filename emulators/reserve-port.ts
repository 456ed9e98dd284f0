import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

const TRIED = 100;

/**
 * Takes the first free port from `first` on, before the state is opened: of programs that start at once, each gets its own.
 * @returns what listens there, for `server.listen` to take over; null where none of 100 ports is free
 */
export async function reservePort(first: number): Promise<{ port: number; listener: Server } | null> {
  for (let port = first; port < first + TRIED; port++) {
    const listener = createServer((socket) => socket.destroy());
    try {
      await once(listener.listen(port, 'localhost'), 'listening');
      return { port, listener };
    } catch {
      // The next one.
    }
  }
  return null;
}
