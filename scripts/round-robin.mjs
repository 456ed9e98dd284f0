// A load balancer for tests: several processes of the app behind one address. It knows nothing about sessions.
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { pipeline } from 'node:stream';

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */

/**
 * Sends each request to the next process, and to the one after it if that one accepts no connection.
 * @param {number[]} initialPorts @param {number} [ownPort] any free one, unless it is given
 */
export async function startRoundRobin(initialPorts, ownPort = 0) {
  let [turn, ports] = [0, initialPorts];
  /** How many requests each process has answered, by its port. */
  const served = new Map(ports.map((port) => [port, 0]));
  /** The requests that are under way, with the port of each. @type {Map<import('node:http').ClientRequest, number>} */
  const open = new Map();

  /** @param {IncomingMessage} request @param {Buffer} body @param {ServerResponse} response @param {number} tries */
  const forward = (request, body, response, tries) => {
    const port = ports[turn++ % ports.length] ?? 0;
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress };
    const { method, url: path } = request;
    const upstream = send({ host: 'localhost', port, method, path, headers, agent: false });
    open.set(upstream, port);
    upstream.on('close', () => open.delete(upstream));
    upstream.on('response', (answer) => {
      served.set(port, (served.get(port) ?? 0) + 1);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => {}); // a process that ends in the middle ends the response, too
    });
    upstream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      // Refused before anything was sent: safe to send elsewhere. Anything else may have been executed.
      if (error.code === 'ECONNREFUSED' && tries < ports.length) forward(request, body, response, tries + 1);
      else if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => upstream.destroy()); // the client is gone, or has everything
    upstream.end(body);
  };

  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    forward(request, Buffer.concat(chunks), response, 1);
  });
  await once(server.listen(ownPort, 'localhost'), 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://localhost:${address.port}`,
    served,
    /**
     * The processes in rotation from now on. Resolves when the others have no request under way: a connection that a process has
     * not accepted yet is reset when it stops.
     * @param {number[]} next
     */
    rotate: async (next) => {
      ports = next;
      const left = [...open].filter(([, port]) => !next.includes(port));
      await Promise.all(left.map(([upstream]) => new Promise((resolve) => upstream.once('close', resolve))));
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
