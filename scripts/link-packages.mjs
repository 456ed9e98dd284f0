import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './git-files.mjs';

/**
 * Copies the project as it is now, with what an install has made and the installed packages, for a run that changes it.
 * @param {string} directory an empty one @param {string[]} [made]
 */
export function copyProject(directory, made = ['prisma/generated']) {
  for (const name of [...listFiles(), ...made.filter((entry) => existsSync(entry))]) {
    cpSync(name, path.join(directory, name), { recursive: true });
  }
  linkPackages(directory);
}

/**
 * Puts this project's installed packages into a temporary folder, in which npm may then change them.
 * @param {string} directory one without `folder`
 * @param {string} folder what is copied, to the same place in it
 */
export function linkPackages(directory, folder = 'node_modules') {
  const target = path.join(directory, folder);
  mkdirSync(path.dirname(target), { recursive: true });
  const copy = (/** @type {string} */ how) =>
    execFileSync('cp', [how, path.resolve(folder), target], { stdio: 'pipe' });
  try {
    copy('-RPl'); // hard links: quick, and without another gigabyte
  } catch {
    rmSync(target, { recursive: true, force: true });
    copy('-RP'); // on another disk
  }
  // npm replaces the files of packages, but writes into its own list of them, which would be this project's.
  rmSync(path.join(target, '.package-lock.json'), { force: true });
}
