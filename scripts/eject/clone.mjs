// A temporary clone of what is committed, in which parts are removed and what remains is tried.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { listKeptFiles, withoutRepository } from '../git-files.mjs';
import { linkPackages } from '../link-packages.mjs';

/** What Git does not keep, and a fresh install would have to make again. */
const INSTALLED = [
  'node_modules',
  'emulators/vendor', // part: emulators
];
const AUTHOR = ['-c', 'user.name=eject', '-c', 'user.email=eject@example.com'];
const OUTPUT_LINES = 60;
const OUTPUT_BYTES = 2 ** 28;
const execute = promisify(execFile);

/** @param {string} directory @param {string[]} args */
const git = (directory, args) =>
  execFileSync('git', args, { cwd: directory, env: withoutRepository(), encoding: 'utf8' }).trim();

export class Clone {
  /** Where it is. @readonly */
  directory = mkdtempSync(path.join(tmpdir(), 'eject-'));

  constructor() {
    git('.', ['clone', '--quiet', '--no-hardlinks', '.', this.directory]);
    /** The commit that was cloned. @readonly */
    this.base = git(this.directory, ['rev-parse', 'HEAD']);
    for (const folder of INSTALLED.filter((place) => existsSync(place))) linkPackages(this.directory, folder);
  }

  /** @param {string} file */
  has(file) {
    return existsSync(path.join(this.directory, file));
  }

  /** @param {string} file */
  read(file) {
    return readFileSync(path.join(this.directory, file), 'latin1');
  }

  /** The files that Git keeps. */
  files() {
    return listKeptFiles(this.directory);
  }

  /** @param {string} place */
  hasChanged(place) {
    return git(this.directory, ['diff', '--name-only', this.base, 'HEAD', '--', place]) !== '';
  }

  /** @param {string} message @returns the tree that is committed */
  commit(message) {
    git(this.directory, ['add', '--all']);
    git(this.directory, [...AUTHOR, 'commit', '--quiet', '-m', message]);
    return git(this.directory, ['rev-parse', 'HEAD^{tree}']);
  }

  /** Files and lines, in words. */
  size() {
    const empty = git(this.directory, ['hash-object', '-t', 'tree', '/dev/null']);
    const [summary = ''] = git(this.directory, [
      ...['diff', '--shortstat', empty, 'HEAD'],
      ...['--', '.', ':!package-lock.json'],
    ]).split('(');
    return summary.trim().replace('changed,', 'with').replace('insertions', 'lines');
  }

  /**
   * Runs npm; rejects with the end of what it printed.
   * @param {string[]} args @param {import('../local-env.mjs').Environment} [env]
   */
  async npm(args, env = process.env) {
    const options = { cwd: this.directory, env: withoutRepository(env), maxBuffer: OUTPUT_BYTES };
    try {
      await execute('npm', args, options);
    } catch (error) {
      const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
      throw new Error(`${stdout}\n${stderr}`.trim().split('\n').slice(-OUTPUT_LINES).join('\n'));
    }
  }

  remove() {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
