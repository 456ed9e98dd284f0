// PostgreSQL as WebAssembly (PGlite), in a process of its own, on the Postgres wire protocol and a free local port.
// Started by `startDatabase`; ends with its parent. Usage: node serve.mjs <directory | memory://> <the parent's command>
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { freePort } from '../ports.mjs';
import { lockDataDirectory } from './lock.mjs';
import { keepPipelinesWhole } from './pipelines.mjs';
import { openDatabase } from './template.mjs';

const MAX_CONNECTIONS = 64;

/** @param {string} directory @param {string} command */
async function serve(directory, command) {
  // The process to stop is the parent: this one ends with it.
  const lock = directory === 'memory://' ? null : await lockDataDirectory(directory, { pid: process.ppid, command });
  if (lock) mkdirSync(directory, { recursive: true });
  const db = await openDatabase(directory, !lock || !existsSync(path.join(directory, 'PG_VERSION')));
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
    await lock?.release();
    process.exit(0);
  };
  // Ctrl-C and a closed terminal reach the whole process group: stay up until the parent, which stops the app first,
  // lets go.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
  process.send?.({ url });
}

const [directory = 'memory://', command = 'a command'] = process.argv.slice(2);
serve(directory, command).catch((error) => {
  process.send?.({ error: error.message });
  process.exitCode = 1;
  process.disconnect?.();
});
