// PGlite has no lock of its own: two processes on one data directory corrupt it silently. The lock is a socket beside the
// directory: the system closes it with its process, it works across containers that share a volume, and whoever finds it
// can ask the owner who it is. A process ID in a file can do none of the three.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Who has a directory open. `url` is the database's address once it is served.
 * @typedef {{ pid: number, command: string, url: string | null }} Owner
 */

const LONGEST_FOLDER_PATH = 80; // a socket's path may have 104 bytes on macOS, 108 on Linux
const LONGEST_SILENCE_MS = 3_000;

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
 *   rejects with `DataDirectoryBusyError` where another process has it
 */
export async function lockDataDirectory(directory, { pid = process.pid, command }) {
  const folder = folderOf(directory);
  mkdirSync(folder, { recursive: true });
  const reachable = shortPathOf(folder);
  const own = path.join(reachable, randomBytes(4).toString('hex'));
  const shared = path.join(reachable, 'owner');
  /** @type {Owner} */
  const owner = { pid, command, url: null };
  const server = createServer((connection) => {
    connection.on('error', () => {});
    connection.end(JSON.stringify(owner));
  });
  await once(server.listen(own), 'listening');
  server.unref();
  const close = async () => {
    server.close(); // removes `own`
    await once(server, 'close');
  };
  for (let attempt = 0; attempt < 5; attempt++) {
    if (tryLink(own, shared)) {
      return {
        publish: (url) => {
          owner.url = url;
        },
        release: async () => {
          if (isSameFile(own, shared)) rmSync(shared, { force: true });
          await close();
        },
      };
    }
    const other = await askOwner(shared);
    if (other) {
      await close();
      throw new DataDirectoryBusyError(directory, other);
    }
    await evict(shared, own);
  }
  await close();
  throw new Error(`The lock ${shared} keeps changing hands. Delete it when no process uses ${directory}.`);
}

/**
 * The live owner of a data directory, or null where no process has it open.
 * @param {string} directory @returns {Promise<Owner | null>}
 */
export async function findOwner(directory) {
  const folder = folderOf(directory);
  return statSync(folder, { throwIfNoEntry: false }) ? askOwner(path.join(shortPathOf(folder), 'owner')) : null;
}

/** @param {string} directory */
const folderOf = (directory) => path.resolve(`${directory}.lock`);

/** The folder, behind a short link where the system would not take its path for a socket. @param {string} folder */
function shortPathOf(folder) {
  if (Buffer.byteLength(folder) <= LONGEST_FOLDER_PATH) return folder;
  const link = path.join(realpathSync(tmpdir()), `lock-${randomBytes(6).toString('hex')}`);
  symlinkSync(folder, link);
  process.once('exit', () => rmSync(link, { force: true }));
  return link;
}

/** The atomic step: fails where there is a lock already. @param {string} own @param {string} shared */
function tryLink(own, shared) {
  try {
    linkSync(own, shared);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} one @param {string} other */
function isSameFile(one, other) {
  const [left, right] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false })?.ino);
  return left !== undefined && left === right;
}

/** What the owner says of itself; null where no process listens. @param {string} socket @returns {Promise<Owner | null>} */
async function askOwner(socket) {
  const connection = connect(socket);
  let said = '';
  let isSilent = false;
  connection.setTimeout(LONGEST_SILENCE_MS, () => {
    isSilent = true; // it is alive, since the system has accepted the connection
    connection.destroy();
  });
  try {
    await once(connection, 'connect');
    for await (const chunk of connection) said += chunk;
    return JSON.parse(said);
  } catch {
    const command = isSilent ? 'it does not respond' : said; // another lock of this kind may say a sentence
    return command ? { pid: 0, command, url: null } : null;
  }
}

/**
 * Moves a dead owner's lock aside. Where another process was faster and the moved lock is alive, it goes back.
 * @param {string} shared @param {string} own
 */
async function evict(shared, own) {
  const aside = `${own}.old`;
  try {
    renameSync(shared, aside);
  } catch {
    return;
  }
  if (await askOwner(aside)) tryLink(aside, shared);
  rmSync(aside, { force: true });
}
