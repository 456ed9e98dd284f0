// PGlite has no lock: two processes on one directory corrupt it silently. Here the lock is a socket in the directory: the
// system closes it with its process, it works across containers that share a volume, and a second opener can ask the
// owner who it is. A process ID in a file can do none of the three.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LONGEST_FOLDER_PATH = 80; // a socket's path may have 104 bytes on macOS, 108 on Linux

export class DirectoryBusyError extends Error {
  override readonly name = 'DirectoryBusyError';
  constructor(directory: string, owner: string) {
    super(`${directory} is in use by ${owner}. Stop that process, or use another folder (--data, or DATA_DIR).`);
  }
}

/**
 * Locks a directory for this process.
 * @param owner what a second opener is told beside the process ID and the command, for instance an address
 * @returns unlocks it
 * @throws DirectoryBusyError, naming the process that has it
 */
export async function lockDirectory(directory: string, owner: string): Promise<() => Promise<void>> {
  const folder = folderOf(directory);
  const own = path.join(folder, randomBytes(4).toString('hex'));
  const shared = path.join(folder, 'owner');
  const server = createServer((connection) => {
    connection.on('error', () => {});
    connection.end(`process ${process.pid} (${process.argv.slice(1).join(' ')}; ${owner})`);
  });
  await once(server.listen(own), 'listening');
  server.unref();
  const close = async () => {
    server.close(); // removes `own`
    await once(server, 'close');
  };
  for (let attempt = 0; attempt < 5; attempt++) {
    if (tryLink(own, shared)) {
      return async () => {
        if (isSameFile(own, shared)) rmSync(shared, { force: true });
        await close();
      };
    }
    const other = await askOwner(shared);
    if (other !== null) {
      await close();
      throw new DirectoryBusyError(directory, other);
    }
    await evict(shared, own);
  }
  await close();
  throw new Error(`The lock ${shared} keeps changing hands. Delete it when no process uses ${directory}.`);
}

/** The folder of the sockets, behind a short link where the system would not take its path. */
function folderOf(directory: string): string {
  const folder = path.resolve(`${directory}.lock`);
  mkdirSync(folder, { recursive: true });
  if (Buffer.byteLength(folder) <= LONGEST_FOLDER_PATH) return folder;
  const link = path.join(realpathSync(tmpdir()), `lock-${randomBytes(6).toString('hex')}`);
  symlinkSync(folder, link);
  process.once('exit', () => rmSync(link, { force: true }));
  return link;
}

/** The atomic step: fails where there is a lock already. */
function tryLink(own: string, shared: string): boolean {
  try {
    linkSync(own, shared);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function isSameFile(one: string, other: string): boolean {
  const [left, right] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false })?.ino);
  return left !== undefined && left === right;
}

/** What the owner says of itself; null where no process listens any more. */
async function askOwner(socket: string): Promise<string | null> {
  const connection = connect(socket);
  try {
    await once(connection, 'connect');
  } catch {
    return null;
  }
  let said = '';
  for await (const chunk of connection) said += chunk;
  return said || 'another process';
}

/** Moves a dead owner's lock aside. Where another process was faster and the moved lock is alive, it goes back. */
async function evict(shared: string, own: string): Promise<void> {
  const aside = `${own}.old`;
  try {
    renameSync(shared, aside);
  } catch {
    return;
  }
  if ((await askOwner(aside)) !== null) tryLink(aside, shared);
  rmSync(aside, { force: true });
}
