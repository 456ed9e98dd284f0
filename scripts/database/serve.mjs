// PostgreSQL as WebAssembly (PGlite), in a process of its own, on the Postgres wire protocol.
// Started by `startDatabase`; ends with its parent. Usage: node serve.mjs <directory | memory://> <the parent's command> <address>
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { lockDataDirectory } from './lock.mjs';
import { keepPipelinesWhole } from './pipelines.mjs';
import { openDatabase } from './template.mjs';

const MAX_CONNECTIONS = 64;

/** @param {string} directory @param {string} command @param {string} url */
async function serve(directory, command, url) {
  // The process to stop is the parent: this one ends with it.
  const lock = directory === 'memory://' ? null : await lockDataDirectory(directory, { pid: process.ppid, command });
  if (lock) mkdirSync(directory, { recursive: true });
  const db = await openDatabase(directory, !lock || !existsSync(path.join(directory, 'PG_VERSION')));
  keepPipelinesWhole(db);
  const { hostname, port } = new URL(url);
  const server = new PGLiteSocketServer({ db, port: Number(port), host: hostname, maxConnections: MAX_CONNECTIONS });
  await server.start();
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
  process.send?.({ isServing: true });
}

const [directory = '', command = '', url = ''] = process.argv.slice(2);
serve(directory, command, url).catch((error) => {
  process.send?.({ error: error.message });
  process.exitCode = 1;
  process.disconnect?.();
});
