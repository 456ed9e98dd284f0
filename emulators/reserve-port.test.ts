import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkPort, reservePort } from './reserve-port';

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ family }) => family === 'IPv6'),
);

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

describe('a port that another server has', () => {
  /** Occupies a port on one address until the end of the test. */
  async function holdPort(host: string): Promise<number> {
    const holder = createListener();
    onTestFinished(() => void holder.close());
    await once(holder.listen(0, host), 'listening');
    return (holder.address() as AddressInfo).port;
  }

  /** macOS gives `localhost` to one server while another has every address; Linux allows that for two single addresses only. */
  const hosts = [
    'localhost',
    '127.0.0.1',
    '0.0.0.0',
    ...(hasIPv6 ? ['::'] : []),
    ...(process.platform === 'linux' ? ['127.0.0.2'] : []),
  ];

  test.each(hosts)('on %s is left to it', async (host) => {
    const port = await holdPort(host);
    await expect(checkPort(port)).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    const reserved = await reservePort(port);
    onTestFinished(() => void reserved?.listener.close());
    expect(reserved?.port).toBeGreaterThan(port);
  });

  test('is free again when that server has ended', async () => {
    const holder = createListener();
    await once(holder.listen(0, 'localhost'), 'listening');
    const { port } = holder.address() as AddressInfo;
    await once(holder.close(), 'close');
    await checkPort(port);
    const reserved = await reservePort(port);
    onTestFinished(() => void reserved?.listener.close());
    expect(reserved?.port).toBe(port);
  });
});
