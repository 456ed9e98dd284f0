import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './ports.mjs';
import { choosePorts } from './stack.mjs';

test('the app listens where an APP_URL on this machine says, unless PORT says otherwise', async () => {
  const [port, other] = [await freePort('localhost'), await freePort('localhost')];
  const APP_URL = `http://localhost:${port}`;
  expect(await choosePorts({ APP_URL })).toMatchObject({ port });
  expect(await choosePorts({ APP_URL, PORT: String(other) })).toMatchObject({ port: other });
  expect(await choosePorts({ APP_URL: `https://tunnel.example.com:${port}` })).not.toMatchObject({ port });
});

test('an APP_URL whose port is taken is refused, instead of naming an address of another program', async () => {
  const server = createServer();
  const port = await freePort('localhost');
  await once(server.listen(port, 'localhost'), 'listening');
  await expect(choosePorts({ APP_URL: `http://localhost:${port}` })).rejects.toThrow(
    /^Port \d+ is in use by .*\. Stop it, or set APP_URL to another port/,
  );
  server.close();
  await once(server, 'close');
});
