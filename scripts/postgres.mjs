// A throw-away server of the PostgreSQL installed on this machine, for `npm run test:postgres` and the benchmarks.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './ports.mjs';

const DEBIAN = '/usr/lib/postgresql';
/** Those that reach this process alone; Ctrl-C reaches the server, too. */
const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGHUP']);

/** Debian keeps the server's programs out of PATH, one folder a version. */
function findPrograms() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => `${DEBIAN}/${version}/bin`), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')));
}

/** PostgreSQL refuses to run as root; where we are root, it runs as Debian's user for it. */
function findUser() {
  if (process.getuid?.() !== 0) return {};
  const id = (/** @type {string} */ flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** @param {import('node:child_process').ChildProcess} server */
const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/**
 * Starts a new, empty PostgreSQL on a free local port; `stop` deletes it. It ends with the process that called this.
 * @param {{ diskMegabytes?: number }} [options] the size of a disk of its own, in memory; on Linux, as root
 * @returns rejects where no PostgreSQL is installed
 */
export async function startPostgres({ diskMegabytes } = {}) {
  const programs = findPrograms();
  if (!programs) {
    throw new Error(
      'No PostgreSQL found. Install it (Debian: `apt-get install postgresql`), or set TEST_DATABASE_URL.',
    );
  }
  const user = findUser();
  const disk = mkdtempSync(path.join(tmpdir(), 'postgres-'));
  if (diskMegabytes) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', disk]);
  if (user.uid !== undefined) chownSync(disk, user.uid, user.gid);
  const directory = path.join(disk, 'data');
  execFileSync(
    path.join(programs, 'initdb'),
    ['-D', directory, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...user,
      cwd: disk,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const port = await freePort('127.0.0.1');
  const args = ['-D', directory, '-p', String(port), '-h', '127.0.0.1', '-k', disk, '-c', 'max_connections=200'];
  const start = async () => {
    const server = spawn(path.join(programs, 'postgres'), args, { ...user, cwd: disk, stdio: 'ignore' });
    for (;;) {
      if (hasEnded(server)) throw new Error(`PostgreSQL ended with ${server.signalCode ?? `code ${server.exitCode}`}.`);
      try {
        execFileSync(path.join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
        return server;
      } catch {
        await delay(50);
      }
    }
  };
  let server = await start();
  const endWithCaller = (/** @type {NodeJS.Signals} */ signal) => {
    server.kill('SIGINT'); // PostgreSQL's fast shutdown
    process.kill(process.pid, signal); // this handler is gone: the signal does what it would have done without it
  };
  for (const signal of SIGNALS) process.once(signal, endWithCaller);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    disk,
    /** Starts it again if it has ended by itself, as it does when its disk is full. */
    async restart() {
      if (hasEnded(server)) server = await start();
    },
    async stop() {
      for (const signal of SIGNALS) process.off(signal, endWithCaller);
      if (!hasEnded(server)) {
        server.kill('SIGINT');
        await once(server, 'exit');
      }
      if (diskMegabytes) execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true, force: true });
    },
  };
}
