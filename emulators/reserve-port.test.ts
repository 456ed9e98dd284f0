import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { reservePort } from './reserve-port';

test('of starts at the same moment each gets a port of its own, and serves there', async () => {
  const reserved = await Promise.all(Array.from({ length: 5 }, () => reservePort(41_000)));
  const ports = reserved.map((one) => one?.port ?? 0);
  expect(new Set(ports).size).toBe(5);
  for (const { port, listener } of reserved.flatMap((one) => one ?? [])) {
    const server = createServer((_, response) => response.end(String(port)));
    await once(server.listen(listener), 'listening');
    expect(await (await fetch(`http://localhost:${port}`)).text()).toBe(String(port));
    server.closeAllConnections();
    server.close();
  }
});
