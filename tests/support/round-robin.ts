import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RoundRobin = {
  url: string;
  /** How many requests each process has answered, by its port. */
  served: Map<number, number>;
  /** The processes in rotation from now on; requests that are under way finish where they are. */
  rotate: (ports: number[]) => void;
  stop: () => Promise<void>;
};

/** A load balancer: each request goes to the next process, and to the one after it where that one accepts no connection. */
export async function startRoundRobin(initialPorts: number[]): Promise<RoundRobin> {
  let [turn, ports] = [0, initialPorts];
  const served = new Map(ports.map((port) => [port, 0]));
  const forward = (request: IncomingMessage, body: Buffer, response: ServerResponse, tries: number) => {
    const port = ports[turn++ % ports.length] ?? 0;
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress };
    const upstream = send({
      host: 'localhost',
      port,
      method: request.method,
      path: request.url,
      headers,
      agent: false,
    });
    upstream.on('response', (answer) => {
      served.set(port, (served.get(port) ?? 0) + 1);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      // Refused before anything was sent: safe to send elsewhere. Anything else may have been executed.
      if (error.code === 'ECONNREFUSED' && tries < ports.length) forward(request, body, response, tries + 1);
      else if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    upstream.end(body);
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    forward(request, Buffer.concat(chunks), response, 1);
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    served,
    rotate: (next) => {
      ports = next;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
