// PostgreSQL as WebAssembly (PGlite), in a process of its own, on the Postgres wire protocol.
// Started by `startDatabase`; ends with its parent. Usage: node serve.mjs <directory | memory://> <the parent's command> <address>
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { lockDataDirectory } from './lock.mjs';
import { freeStatements, keepPipelinesWhole } from './pipelines.mjs';
import { openDatabase } from './template.mjs';

const MAX_CONNECTIONS = 64;

/** To the parent, if it is still there. @param {{ isServing: true } | { error: string }} message */
const tell = (message) => process.send?.(message, () => {});

/** @param {string} directory @param {string} command @param {string} url */
async function serve(directory, command, url) {
  // Ctrl-C and a closed terminal reach the whole process group: stay up until the parent, which stops the app first,
  // lets go.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  const isLetGo = new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('disconnect', resolve);
  });
  // The process to stop is the parent: this one ends with it.
  const lock = directory === 'memory://' ? null : await lockDataDirectory(directory, { pid: process.ppid, command });
  if (lock) mkdirSync(directory, { recursive: true });
  const db = await openDatabase(directory, !lock || !existsSync(path.join(directory, 'PG_VERSION')));
  keepPipelinesWhole(db);
  const { hostname, port } = new URL(url);
  const server = new PGLiteSocketServer({ db, port: Number(port), host: hostname, maxConnections: MAX_CONNECTIONS });
  freeStatements(server);
  await server.start();
  lock?.publish(url);
  tell({ isServing: true });
  if (process.connected !== false) await isLetGo; // a parent that ended while this program was loaded sends no event

  await server.stop().catch(() => {});
  await db.close().catch(() => {});
  await lock?.release();
  process.exit(0);
}

const [directory = '', command = '', url = ''] = process.argv.slice(2);
serve(directory, command, url).catch((error) => {
  tell({ error: error.message });
  process.exitCode = 1;
  if (process.connected) process.disconnect();
});
