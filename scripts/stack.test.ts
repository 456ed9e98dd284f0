import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './ports.mjs';
import {
  chooseColors, // part: emulators
  choosePorts,
} from './stack.mjs';

test('the app listens where an APP_URL on this machine says, unless PORT says otherwise', async () => {
  const [port, other] = [await freePort('localhost'), await freePort('localhost')];
  const APP_URL = `http://localhost:${port}`;
  expect(await choosePorts({ APP_URL })).toMatchObject({ port });
  expect(await choosePorts({ APP_URL, PORT: String(other) })).toMatchObject({ port: other });
  expect(await choosePorts({ APP_URL: `https://tunnel.example.com:${port}` })).not.toMatchObject({ port });
});

// part: emulators
test('app and emulators get a port each, or the run says which variables name the same one', async () => {
  const port = String(await freePort('localhost'));
  await expect(choosePorts({ PORT: port, EMULATORS_PORT: port })).rejects.toThrow(
    `App and emulators cannot both have port ${port}. Set PORT or EMULATORS_PORT to another one.`,
  );
});

test('Next keeps its colors in a terminal, unless the shell says something about colors', () => {
  const [terminal, file] = [{ isTTY: true }, {}];
  expect(chooseColors({}, terminal)).toEqual({ FORCE_COLOR: '1' });
  expect(chooseColors({ NO_COLOR: '1' }, terminal)).toEqual({});
  expect(chooseColors({ FORCE_COLOR: '0' }, terminal)).toEqual({});
  expect(chooseColors({}, file)).toEqual({});
});
// end: emulators

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
