// Files in the app's folders, which are its own and under its version control.
import { chmodSync, chownSync, lstatSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** It is mounted, in a folder that is not this user's to write, or another user's. */
const IRREPLACEABLE = new Set(['EACCES', 'EBUSY', 'EPERM']);

/**
 * Writes a file at once or not at all: a new one for this user alone, another one with its mode and owner. A link stays one: its
 * target is written. Where a file cannot be replaced, it is overwritten.
 */
export function replaceFile(name: string, content: string | Uint8Array): void {
  const file = followLink(name);
  const temporary = `${file}.${process.pid}`;
  const earlier = statSync(file, { throwIfNoEntry: false });
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    if (earlier) {
      chmodSync(temporary, earlier.mode);
      if (earlier.uid !== statSync(temporary).uid) chownSync(temporary, earlier.uid, earlier.gid);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (!earlier?.isFile() || !IRREPLACEABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    writeFileSync(file, content);
  }
}

/** Where a link leads, also if nothing is there yet. */
export function followLink(name: string): string {
  const isLink = lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? followLink(path.resolve(path.dirname(name), readlinkSync(name))) : path.resolve(name);
}

/** For a folder of keys and recorded messages: the app's own .gitignore may not list it. */
export function keepOutOfGit(folder: string): void {
  writeFileSync(path.join(folder, '.gitignore'), '*\n');
}
