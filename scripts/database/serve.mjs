// PostgreSQL as WebAssembly (PGlite), in a process of its own, on the Postgres wire protocol and a free local port.
// Started by `startDatabase`; ends with its parent. Usage: node serve.mjs <directory | memory://>
import { mkdirSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { freePort } from '../free-port.mjs';
import { lockDataDirectory } from './lock.mjs';
import { keepPipelinesWhole } from './pipelines.mjs';

const MAX_CONNECTIONS = 64;

/** @param {string} directory */
async function serve(directory) {
  const lock = directory === 'memory://' ? null : lockDataDirectory(directory);
  if (lock) mkdirSync(directory, { recursive: true });
  const db = await PGlite.create(directory);
  const port = await freePort('127.0.0.1');
  keepPipelinesWhole(db);
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
