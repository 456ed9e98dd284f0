// PGlite has no lock of its own: two processes on one data directory corrupt it silently. The lock is a socket beside the
// directory: the system closes it with its process, it works across containers that share a volume, and a process that
// finds it can ask for its owner. A process ID in a file can do none of the three.
//
// Each owner adds a socket of the next generation; the highest one counts. Owners before it are dead, and removed by it.
// A file beside the socket names the owner. Only the error message uses it, when the owner is too busy to respond.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Who has a directory open. `url` is the database's address once it is served.
 * @typedef {{ pid: number, command: string, url: string | null }} Owner
 */

const LONGEST_FOLDER_PATH = 80; // a socket's path may have 104 bytes on macOS, 108 on Linux
const LONGEST_SILENCE_MS = 3_000; // the owner may be busy
const GENERATION = /^owner-(\d+)$/;
/** How file systems without Unix sockets fail, such as a Windows drive in WSL. */
const UNSUPPORTED = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'ENOSYS'];

export class DataDirectoryBusyError extends Error {
  /** @param {string} directory @param {Owner} owner */
  constructor(directory, { pid, command }) {
    super(
      `${directory} is in use by ${pid ? `process ${pid}` : 'a process'} (${command}). ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
    this.name = 'DataDirectoryBusyError';
  }
}

/**
 * Takes the lock on a data directory.
 * @param {string} directory @param {{ pid?: number, command: string }} owner what a second opener is told
 * @returns {Promise<{ publish(url: string): void, release(): Promise<void> }>} `publish` tells others where it is served;
 *   rejects with `DataDirectoryBusyError` if another process has it, and as `refuseForeign` throws
 */
export async function lockDataDirectory(directory, { pid = process.pid, command }) {
  refuseForeign(directory);
  const folder = folderOf(directory);
  mkdirSync(folder, { recursive: true });
  const reachable = shortPathOf(folder);
  const own = path.join(reachable, randomBytes(4).toString('hex'));
  /** @type {Owner} */
  const owner = { pid, command, url: null };
  const server = createServer((connection) => {
    connection.on('error', () => {});
    connection.end(JSON.stringify(owner));
  });
  await once(server.listen(own), 'listening').catch((error) => {
    throw explainLockError(error, directory);
  });
  server.unref();
  const close = async () => {
    server.close(); // removes `own`; its generation stays as a dead one, so that generations only grow
    await once(server, 'close');
  };
  try {
    for (;;) {
      const last = lastGeneration(reachable);
      const other = last === 0 ? null : await askOwner(socketOf(reachable, last));
      if (other) throw new DataDirectoryBusyError(directory, other);
      if (!tryLink(own, socketOf(reachable, last + 1))) continue; // another process was faster
      if (lastGeneration(reachable) === last + 1) {
        if (await askOwner(socketOf(reachable, last + 1))) break;
        throw Object.assign(new Error('A link to a socket is another socket.'), { code: 'ENOTSUP' }); // some FUSE file systems
      }
      rmSync(socketOf(reachable, last + 1), { force: true }); // others have come and gone meanwhile
    }
    writeFileSync(nameOf(socketOf(reachable, lastGeneration(reachable))), JSON.stringify(owner), { mode: 0o600 });
  } catch (error) {
    await close();
    throw explainLockError(error, directory);
  }
  removeBefore(reachable, lastGeneration(reachable));
  return {
    publish: (url) => {
      owner.url = url;
    },
    release: close,
  };
}

/**
 * Refuses the database of a PostgreSQL server, such as a container's volume: the server writes this file at each start, and
 * PGlite never does. A copy of an embedded database, such as a restored backup, is not refused.
 * @param {string} directory @throws {Error}
 */
export function refuseForeign(directory) {
  if (!existsSync(path.join(directory, 'postmaster.opts'))) return;
  throw new Error(`${path.resolve(directory)} is a database of another program. Set DATA_DIR to another folder.`);
}

/** @param {unknown} error @param {string} directory */
function explainLockError(error, directory) {
  if (!(error instanceof Error && 'code' in error && UNSUPPORTED.includes(String(error.code)))) return error;
  return new Error(
    `The file system of ${path.resolve(directory)} has no sockets or hard links: a Windows drive in WSL, exFAT or a network share, for example. ` +
      'Move the project to a local disk (in WSL, that of Linux), or set DATA_DIR to a folder on one.',
  );
}

/**
 * The live owner of a data directory, or null if no process has it open.
 * @param {string} directory @returns {Promise<Owner | null>}
 */
export async function findOwner(directory) {
  const folder = folderOf(directory);
  if (!statSync(folder, { throwIfNoEntry: false })) return null;
  const reachable = shortPathOf(folder);
  const last = lastGeneration(reachable);
  return last === 0 ? null : askOwner(socketOf(reachable, last));
}

/** @param {string} folder @param {number} generation */
const socketOf = (folder, generation) => path.join(folder, `owner-${generation}`);

/** The file beside a socket that says who holds it. @param {string} socket */
const nameOf = (socket) => `${socket}.name`;

/** @param {string} folder */
const generationsIn = (folder) => readdirSync(folder).flatMap((name) => Number(GENERATION.exec(name)?.[1] ?? []));

/** @param {string} folder */
const lastGeneration = (folder) => Math.max(0, ...generationsIn(folder));

/** @param {string} folder @param {number} own */
function removeBefore(folder, own) {
  for (const generation of generationsIn(folder)) {
    if (generation >= own) continue;
    for (const file of [socketOf(folder, generation), nameOf(socketOf(folder, generation))])
      rmSync(file, { force: true });
  }
}

/** @param {string} directory */
const folderOf = (directory) => path.resolve(`${directory}.lock`);

/** The folder, behind a short link if the system would not take its path for a socket. @param {string} folder */
function shortPathOf(folder) {
  if (Buffer.byteLength(folder) <= LONGEST_FOLDER_PATH) return folder;
  const link = path.join(realpathSync(tmpdir()), `lock-${randomBytes(6).toString('hex')}`);
  symlinkSync(folder, link);
  process.once('exit', () => rmSync(link, { force: true }));
  return link;
}

/** The atomic step: fails if that generation exists. @param {string} own @param {string} shared */
function tryLink(own, shared) {
  try {
    linkSync(own, shared);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** What the owner says of itself; null if no process listens. @param {string} socket @returns {Promise<Owner | null>} */
async function askOwner(socket) {
  const connection = connect(socket);
  connection.setTimeout(LONGEST_SILENCE_MS, () => connection.destroy());
  let said = '';
  try {
    await once(connection, 'connect');
    for await (const chunk of connection) said += chunk;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return null;
  }
  // Anything else is alive, since the system has accepted the connection: one that is stopped or busy, or another lock of this
  // kind, which says a sentence.
  const owner = parseOwner(said || readName(socket));
  return said ? owner : { ...owner, command: [owner.command, 'it does not respond'].filter(Boolean).join('; ') };
}

/** @param {string} socket */
function readName(socket) {
  try {
    return readFileSync(nameOf(socket), 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} text @returns {Owner} */
function parseOwner(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { pid: 0, command: text, url: null };
  }
}
