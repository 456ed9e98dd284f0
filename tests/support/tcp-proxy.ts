import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a database: it passes on, stops responding while connections stay open, or responds late. */
export type TcpProxy = {
  port: number;
  /** From now on: bytes to and from the target are passed on, held back for good, or passed on this much later. */
  behave: (behavior: 'pass' | 'hang' | { delayMs: number }) => void;
  /** Where new connections lead. */
  leadTo: (port: number) => void;
  stop: () => Promise<void>;
};

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let [target, behavior]: [number, 'pass' | 'hang' | { delayMs: number }] = [targetPort, 'pass'];
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => {
      if (behavior === 'hang') return;
      if (behavior === 'pass') to.write(bytes);
      else setTimeout(() => to.write(bytes), behavior.delayMs);
    });
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
    sockets.add(from);
    from.once('close', () => sockets.delete(from));
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    forward(client, upstream);
    forward(upstream, client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    behave: (next) => {
      behavior = next;
    },
    leadTo: (port) => {
      target = port;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
