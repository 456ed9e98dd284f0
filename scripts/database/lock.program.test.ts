import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DataDirectoryBusyError, findOwner, lockDataDirectory } from './lock.mjs';

let parent: string;
let directory: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'lock-'));
  directory = path.join(parent, 'postgres');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const lockUrl = new URL('./lock.mjs', import.meta.url).href;
const owner = { command: 'npm run dev, http://localhost:3000' };

/** A process that takes the lock, says how it went, and holds it until its input closes. */
function contender() {
  const source = `
    import { lockDataDirectory } from ${JSON.stringify(lockUrl)};
    const command = 'a contender';
    await lockDataDirectory(process.argv[1], { command }).then(() => console.log('locked'), (error) => console.log(error.name));
    process.stdin.resume(); process.stdin.on('end', () => process.exit(0));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const outcome = once(child.stdout, 'data').then(([data]) => String(data).trim());
  const end = async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid, outcome, end, kill, signal: (name: NodeJS.Signals) => child.kill(name) };
}

test('a second opener is refused with a message that names the process, its command and its address', async () => {
  const lock = await lockDataDirectory(directory, owner);
  await expect(lockDataDirectory(directory, owner)).rejects.toThrow(DataDirectoryBusyError);
  await expect(lockDataDirectory(directory, owner)).rejects.toThrow(
    `in use by process ${process.pid} (npm run dev, http://localhost:3000)`,
  );
  await lock.release();
});

test('a released directory can be opened again, and says where it is served', async () => {
  await (await lockDataDirectory(directory, owner)).release();
  expect(await findOwner(directory)).toBeNull();
  const lock = await lockDataDirectory(directory, owner);
  expect(await findOwner(directory)).toMatchObject({ pid: process.pid, url: null });
  lock.publish('postgresql://localhost:2/postgres');
  expect(await findOwner(directory)).toMatchObject({ url: 'postgresql://localhost:2/postgres' });
  await lock.release();
});

test('a directory that was never opened has no owner, and is not created by asking', async () => {
  expect(await findOwner(path.join(directory, 'never'))).toBeNull();
});

test('a path too long for a socket is locked all the same', async () => {
  vi.stubEnv('TMPDIR', parent); // the short links stay until the process ends
  const long = path.join(parent, 'a'.repeat(60), 'b'.repeat(60));
  const lock = await lockDataDirectory(long, owner);
  await expect(lockDataDirectory(long, owner)).rejects.toThrow(DataDirectoryBusyError);
  expect(await findOwner(long)).toMatchObject({ pid: process.pid });
  await lock.release();
  vi.unstubAllEnvs();
});

test('a lock whose owner was killed is evicted', async () => {
  const dead = contender();
  expect(await dead.outcome).toBe('locked');
  await dead.kill();
  const lock = await lockDataDirectory(directory, owner);
  expect((await findOwner(directory))?.pid).toBe(process.pid);
  await lock.release();
  const named = readdirSync(`${directory}.lock`).filter((name) => name.startsWith('owner'));
  expect(named).toEqual(['owner-2', 'owner-2.name']); // nothing is left of the dead one
});

test('a live owner is never evicted, whatever its process ID says', async () => {
  const lock = await lockDataDirectory(directory, { ...owner, pid: 2 ** 30 }); // of another container: none has it here
  await expect(lockDataDirectory(directory, owner)).rejects.toThrow(DataDirectoryBusyError);
  await lock.release();
});

test('an owner that is stopped, or busy with a long query, keeps its lock and is named', async () => {
  const dead = contender();
  await dead.outcome;
  await dead.kill();
  const stopped = contender();
  await stopped.outcome;
  stopped.signal('SIGSTOP');
  const refusal = `in use by process ${stopped.pid} (a contender; it does not respond). Stop it`;
  await expect(lockDataDirectory(directory, owner)).rejects.toThrow(refusal);
  rmSync(`${directory}.lock/owner-2.name`);
  await expect(lockDataDirectory(directory, owner)).rejects.toThrow('in use by a process (it does not respond).');
  stopped.signal('SIGCONT');
  await stopped.end();
});

test('what is no socket is evicted', async () => {
  mkdirSync(`${directory}.lock`);
  writeFileSync(`${directory}.lock/owner-1`, '{"pid":');
  const lock = await lockDataDirectory(directory, owner);
  expect((await findOwner(directory))?.pid).toBe(process.pid);
  await lock.release();
});

test('of many processes that find a dead owner at once, exactly one wins', async () => {
  const dead = contender();
  await dead.outcome;
  await dead.kill();
  const contenders = Array.from({ length: 8 }, contender);
  const outcomes = await Promise.all(contenders.map(({ outcome }) => outcome));
  expect(outcomes.filter((outcome) => outcome === 'locked')).toHaveLength(1);
  await Promise.all(contenders.map(({ end }) => end()));
});

test('a file system without sockets, such as a Windows drive in WSL, is named', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    queueMicrotask(() => this.emit('error', Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP' })));
    return this;
  });
  await expect(lockDataDirectory(directory, owner)).rejects.toThrow(
    `The file system of ${directory} has no sockets or hard links: a Windows drive in WSL, exFAT or a network share, for example.`,
  );
  listen.mockRestore();
});

test('the database of a PostgreSQL server is not locked, and nothing is written beside it', async () => {
  mkdirSync(directory);
  writeFileSync(path.join(directory, 'postmaster.opts'), '/usr/lib/postgresql/17/bin/postgres\n');
  await expect(lockDataDirectory(directory, owner)).rejects.toThrow(`${directory} is a database of another program.`);
  expect(readdirSync(parent)).toEqual(['postgres']);
});
