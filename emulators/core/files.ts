// Files in the app's folders, which are its own and under its version control.
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes a file at once or not at all, for this user's eyes only. A link stays one: what it leads to is written. */
export function replaceFile(name: string, content: string | Uint8Array): void {
  const file = existsSync(name) ? realpathSync(name) : path.resolve(name);
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** For a folder of keys and recorded messages: the app's own .gitignore may not list it. */
export function keepOutOfGit(folder: string): void {
  writeFileSync(path.join(folder, '.gitignore'), '*\n');
}
