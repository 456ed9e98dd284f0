// Upgraded connections, such as the one by which Next reloads pages in development. The HTTP server forgets a connection
// once it is upgraded, so they are ended here.
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

const FORWARDED = 'x-forwarded-for';

type Tunnels = {
  /** Passes an upgrade on to the app. */
  open: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Closes the open ones, on both sides. */
  close: () => void;
};

/** @param appPort where the app listens */
export function createTunnels(appPort: number): Tunnels {
  const sockets = new Set<Duplex>();
  return {
    open(request, socket, head) {
      const upstream = connect(appPort, 'localhost', () => {
        const lines = [`${request.method} ${request.url} HTTP/1.1`];
        request.rawHeaders.forEach((name, index, all) => {
          if (index % 2 === 0 && name.toLowerCase() !== FORWARDED) lines.push(`${name}: ${all[index + 1]}`);
        });
        lines.push(`${FORWARDED}: ${request.socket.remoteAddress}`); // what a client claims is ignored
        upstream.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'); // the bytes that the client sent
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      sockets.add(socket);
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        upstream.destroy();
      });
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
