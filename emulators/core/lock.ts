// PGlite has no lock: two processes on one directory corrupt it silently. Here the lock is a socket in the directory: the
// system closes it with its process, it works across containers that share a volume, and a second opener can ask the
// owner who it is. A process ID in a file does none of the three.
//
// Each owner adds a socket of the next generation; the highest one counts. Its owner removes earlier ones, which are dead.
// A file beside the socket names the owner. Only the error message uses it, when the owner is too busy to respond.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepOutOfGit } from './files';

const LONGEST_FOLDER_PATH = 80; // a socket's path is limited to 104 bytes on macOS, 108 on Linux
const OWNER_ANSWERS_WITHIN_MS = 1_000;
const GENERATION = /^owner-(\d+)$/;
/** How file systems without Unix sockets fail, such as a Windows drive in WSL. */
const UNSUPPORTED = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'ENOSYS'];

export class DirectoryBusyError extends Error {
  override readonly name = 'DirectoryBusyError';
  constructor(directory: string, owner: string) {
    super(`${directory} is in use by ${owner}. Stop that process, or use another folder (--data, or DATA_DIR).`);
  }
}

export class DirectoryUnusableError extends Error {
  override readonly name = 'DirectoryUnusableError';
}

/**
 * Locks a directory for this process.
 * @param owner what a second opener is told besides the process ID, for instance an address
 * @param pid the process to stop: this one, or the parent that it ends with
 * @returns a function that unlocks it
 * @throws DirectoryBusyError, naming the process that has it; DirectoryUnusableError if its file system has no sockets
 */
export async function lockDirectory(directory: string, owner: string, pid = process.pid): Promise<() => Promise<void>> {
  const folder = folderOf(directory);
  const own = path.join(folder, randomBytes(4).toString('hex'));
  const command = pid === process.pid ? `${process.argv.slice(1).join(' ')}; ` : '';
  const name = `process ${pid} (${command}${owner})`;
  const server = createServer((connection) => {
    connection.on('error', () => {});
    connection.end(name);
  });
  await once(server.listen(own), 'listening').catch((error) => {
    throw explainLockError(error, directory);
  });
  server.unref();
  const close = async () => {
    server.close(); // removes `own`; its generation stays, dead, so that generations only grow
    await once(server, 'close');
  };
  try {
    for (;;) {
      const last = lastGeneration(folder);
      const other = last === 0 ? null : await askOwner(path.join(folder, `owner-${last}`));
      if (other !== null) throw new DirectoryBusyError(directory, other);
      const shared = path.join(folder, `owner-${last + 1}`);
      if (!tryLink(own, shared)) continue; // another process was faster
      if (lastGeneration(folder) === last + 1) {
        if ((await askOwner(shared)) !== null) break;
        throw Object.assign(new Error('A link to a socket is another socket.'), { code: 'ENOTSUP' }); // some FUSE file systems
      }
      rmSync(shared, { force: true }); // others came and went meanwhile, and removed the last generation
    }
    writeFileSync(nameOf(path.join(folder, `owner-${lastGeneration(folder)}`)), name, { mode: 0o600 });
  } catch (error) {
    await close();
    throw explainLockError(error, directory);
  }
  removeBefore(folder, lastGeneration(folder));
  return close;
}

function explainLockError(error: unknown, directory: string): unknown {
  if (!UNSUPPORTED.some((code) => isError(error, code))) return error;
  return new DirectoryUnusableError(
    `The file system of ${path.resolve(directory)} has no sockets or hard links: a Windows drive in WSL, exFAT or a network share, for example. ` +
      'Use a folder on a local disk (--data, or DATA_DIR).',
  );
}

/** The folder of the sockets, behind a short link if its path is too long for the system. */
function folderOf(directory: string): string {
  const folder = path.resolve(`${directory}.lock`);
  mkdirSync(folder, { recursive: true });
  keepOutOfGit(folder);
  if (Buffer.byteLength(folder) <= LONGEST_FOLDER_PATH) return folder;
  const link = path.join(realpathSync(tmpdir()), `lock-${randomBytes(6).toString('hex')}`);
  symlinkSync(folder, link);
  process.once('exit', () => rmSync(link, { force: true }));
  return link;
}

/** The file beside a socket that says who holds it. */
const nameOf = (socket: string): string => `${socket}.name`;

const generations = (folder: string): number[] =>
  readdirSync(folder).flatMap((name) => Number(GENERATION.exec(name)?.[1] ?? []));

const lastGeneration = (folder: string): number => Math.max(0, ...generations(folder));

function removeBefore(folder: string, own: number): void {
  for (const number of generations(folder)) {
    if (number >= own) continue;
    const socket = path.join(folder, `owner-${number}`);
    for (const file of [socket, nameOf(socket)]) rmSync(file, { force: true });
  }
}

/** The atomic step: fails if that generation exists. */
function tryLink(own: string, shared: string): boolean {
  try {
    linkSync(own, shared);
    return true;
  } catch (error) {
    if (isError(error, 'EEXIST')) return false;
    throw error;
  }
}

/** What the owner says about itself; null if its process is gone. A suspended or busy process is still the owner. */
async function askOwner(socket: string): Promise<string | null> {
  const connection = connect(socket);
  connection.setTimeout(OWNER_ANSWERS_WITHIN_MS, () => connection.destroy());
  let said = '';
  try {
    await once(connection, 'connect');
    for await (const chunk of connection) said += chunk;
  } catch (error) {
    if (isError(error, 'ECONNREFUSED') || isError(error, 'ENOENT')) return null;
  }
  return said || readName(socket) || 'another process';
}

function readName(socket: string): string {
  try {
    return readFileSync(nameOf(socket), 'utf8');
  } catch {
    return '';
  }
}

const isError = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
