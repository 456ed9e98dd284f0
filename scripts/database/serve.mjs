// PostgreSQL as WebAssembly (PGlite), in a process of its own, on the Postgres wire protocol and a free local port.
// Started by `startDatabase`; ends with its parent. Usage: node serve.mjs <directory | memory://>
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { lockDataDirectory } from './lock.mjs';

const MAX_CONNECTIONS = 64;

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** @param {string} directory */
async function serve(directory) {
  const lock = directory === 'memory://' ? null : lockDataDirectory(directory);
  if (lock) mkdirSync(directory, { recursive: true });
  const db = await PGlite.create(directory);
  const port = await freePort();
  const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: MAX_CONNECTIONS });
  await server.start();
  const url = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
  lock?.publish(url);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await server.stop().catch(() => {});
    await db.close().catch(() => {});
    process.exit(0);
  };
  // Ctrl-C reaches the whole process group: stay up until the parent, which stops the app first, lets go.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
  process.send?.({ url });
}

serve(process.argv[2] ?? 'memory://').catch((error) => {
  process.send?.({ error: error.message });
  process.exitCode = 1;
  process.disconnect?.();
});
