// The project's files, as Git lists them.
import { execFileSync } from 'node:child_process';

/** Those that Git keeps. @param {string} [directory] */
export const listKeptFiles = (directory = '.') => list(directory, []);

/** The same, and new ones that it does not ignore. */
export const listFiles = () => list('.', ['--cached', '--others', '--exclude-standard']);

/** @param {string} directory @param {string[]} options */
const list = (directory, options) =>
  execFileSync('git', ['ls-files', '-z', ...options], { cwd: directory, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
