import { once } from 'node:events';
import { type AddressInfo, createServer, Server } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeThisProcess } from '../tests/support/machine';
import { choosePort, freePort } from './ports.mjs';

const holder = describeThisProcess();
const server = createServer();
let taken: number;

beforeEach(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  taken = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  vi.restoreAllMocks();
  server.close();
  await once(server, 'close');
});

test('a named port that is taken is refused with a message that names the process and its command', async () => {
  await expect(choosePort({ PORT: String(taken) }, 'PORT', 3000)).rejects.toThrow(
    new RegExp(`^Port ${taken} is in use by ${holder}\\. Stop it, or set PORT`),
  );
});

test('where the port was not named the next free one is used, and a line says so', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const port = await choosePort({}, 'PORT', taken);
  expect(port).toBeGreaterThan(taken);
  expect(log).toHaveBeenCalledWith(expect.stringMatching(`in use by ${holder}. Using ${port} instead`));
  log.mockRestore();
});

/** A free port in a range that no other test draws from, so that none takes it between two probes. */
const ownFreePort = () => choosePort({}, 'PORT', 10_000 + (process.pid % 9_000));

test('a named port that is free is used', async () => {
  const port = await ownFreePort();
  expect(await choosePort({ PORT: String(port) }, 'PORT', 3000)).toBe(port);
});

test('a free port is another one at each call, and none that a system gives to connections', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, () => freePort('127.0.0.1')));
  expect(new Set(ports).size).toBe(100);
  for (const port of ports) expect(port).toBeLessThan(32_768);
});

test('a port is free on a machine without IPv6', async () => {
  const port = await ownFreePort();
  failToListen('::', 'EAFNOSUPPORT');
  expect(await choosePort({ PORT: String(port) }, 'PORT', 3000)).toBe(port);
});

test('the port that is proposed in place of one that is taken is free itself', async () => {
  const next = createServer();
  await once(next.listen(taken + 1, '127.0.0.1'), 'listening').catch(() => null); // taken one way or another
  await expect(choosePort({ PORT: String(taken) }, 'PORT', 3000)).rejects.toSatisfy(({ message }: Error) => {
    const proposed = Number(/such as (\d+)\.$/.exec(message)?.[1]);
    return proposed > taken + 1;
  });
  next.close();
});

test('after the last port, where it is taken, none is proposed', async () => {
  failToListen('127.0.0.1', 'EADDRINUSE');
  await expect(choosePort({ PORT: '65535' }, 'PORT', 3000)).rejects.toThrow(/set PORT to another port\.$/);
});

test('a named port that this user may not open is refused with what to choose', async () => {
  failToListen('127.0.0.1', 'EACCES');
  await expect(choosePort({ PORT: '80' }, 'PORT', 3000)).rejects.toThrow(
    'Port 80 may not be opened by this user. Set PORT to a port above 1023.',
  );
});

/** As on a machine on which the system refuses one address. */
function failToListen(host: string, code: string) {
  const { listen } = Server.prototype;
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
    if (args[1] !== host) return Reflect.apply(listen, this, args);
    queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })));
    return this;
  });
}

test.each(['0', '70000', '30.5', 'http'])('%s is no port', async (text) => {
  await expect(choosePort({ PORT: text }, 'PORT', 3000)).rejects.toThrow('PORT is malformed');
});
