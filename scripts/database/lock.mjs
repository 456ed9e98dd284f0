// PGlite has no lock of its own: two processes on one data directory corrupt it silently.
// This one is a file created atomically; only an owner that is dead is ever evicted.

import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {{ pid: number, url: string | null, token: string }} Owner */

export class DataDirectoryBusyError extends Error {
  /** @param {string} dir @param {Owner} owner */
  constructor(dir, owner) {
    super(
      `The embedded database in ${dir} is open in process ${owner.pid}. ` +
        'Stop that process, set DATA_DIR to another folder, or set DATABASE_URL to use a PostgreSQL of your own.',
    );
    this.name = 'DataDirectoryBusyError';
  }
}

/** @param {string} dir */
const lockFile = (dir) => `${path.resolve(dir)}.lock`;

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} file @returns {Owner | null} */
function readOwner(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * The live owner of a data directory, or null where nobody has it open.
 * @param {string} dir
 */
export function findOwner(dir) {
  const owner = readOwner(lockFile(dir));
  return owner && isAlive(owner.pid) ? owner : null;
}

/**
 * Takes the lock on a data directory, or throws `DataDirectoryBusyError` naming the process that has it.
 * @param {string} dir
 * @returns {{ publish(url: string): void, release(): void }} `publish` tells others the address it is served on.
 */
export function lockDataDirectory(dir) {
  const file = lockFile(dir);
  const token = randomUUID();
  const scratch = `${file}.${token}`;
  mkdirSync(path.dirname(file), { recursive: true });

  /** @param {string | null} url */
  const write = (url) => writeFileSync(scratch, JSON.stringify({ pid: process.pid, url, token }));
  const release = () => {
    if (readOwner(file)?.token === token) rmSync(file, { force: true });
  };

  for (let attempt = 0; attempt < 5; attempt++) {
    write(null);
    try {
      linkSync(scratch, file); // fails where the file exists: this is the atomic step
      rmSync(scratch);
      process.once('exit', release);
      return {
        release,
        publish(url) {
          write(url);
          renameSync(scratch, file);
        },
      };
    } catch (error) {
      rmSync(scratch, { force: true });
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const owner = readOwner(file);
    if (owner && isAlive(owner.pid)) throw new DataDirectoryBusyError(dir, owner);
    evict(file, owner);
  }
  throw new Error(`The lock file ${file} keeps changing hands. Delete it when no process uses ${dir}.`);
}

/**
 * Moves a dead owner's lock aside. Two processes may try at once: whoever finds that it moved a lock other than the
 * one it judged dead puts that one back.
 * @param {string} file @param {Owner | null} judged
 */
function evict(file, judged) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // someone else was faster
  }
  const moved = readOwner(aside);
  if (moved && moved.token !== judged?.token) {
    try {
      linkSync(aside, file);
    } catch {
      // a third process holds it by now
    }
  }
  rmSync(aside, { force: true });
}
