import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { lockDirectory } from './lock';

const scratch = mkdtempSync(path.join(tmpdir(), 'lock-'));
afterAll(() => rmSync(scratch, { recursive: true }));

let count = 0;
const newDirectory = () => path.join(scratch, `data-${(count += 1)}`);

/** Another process that has the directory locked. */
async function lockElsewhere(directory: string): Promise<ChildProcess> {
  const holder = path.join(import.meta.dirname, 'testing', 'hold-lock.mjs');
  const child = fork(holder, [directory], { execArgv: ['--import', 'tsx'] });
  await once(child, 'message');
  return child;
}

test('a second opener is refused and told who has the directory open', async () => {
  const directory = newDirectory();
  const unlock = await lockDirectory(directory, 'http://localhost:3001');
  await expect(lockDirectory(directory, 'other')).rejects.toThrow(
    new RegExp(`${directory} is in use by process ${process.pid} .*http://localhost:3001`),
  );
  expect(readFileSync(`${directory}.lock/.gitignore`, 'utf8'), 'an app commits none of it').toBe('*\n');
  await unlock();
});

test('of a process that ends with its parent, the parent is named', async () => {
  const directory = newDirectory();
  const unlock = await lockDirectory(directory, 'http://localhost:3001', process.ppid);
  await expect(lockDirectory(directory, 'other')).rejects.toThrow(
    `${directory} is in use by process ${process.ppid} (http://localhost:3001).`,
  );
  await unlock();
});

test('an unlocked directory can be locked again', async () => {
  const directory = newDirectory();
  await (await lockDirectory(directory, 'one'))();
  await (await lockDirectory(directory, 'two'))();
});

test('the lock of a killed process refuses no one', async () => {
  const directory = newDirectory();
  const child = await lockElsewhere(directory);
  await expect(lockDirectory(directory, 'other')).rejects.toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await lockDirectory(directory, 'other'))();
});

test('a process that is stopped, or busy with a long query, keeps its lock and is named', async () => {
  const directory = newDirectory();
  const child = await lockElsewhere(directory);
  child.kill('SIGSTOP');
  await expect(lockDirectory(directory, 'other')).rejects.toThrow(
    new RegExp(`^${directory} is in use by process ${child.pid} \\(.*; a test\\)\\. Stop that process`),
  );
  rmSync(`${directory}.lock/owner-1.name`);
  await expect(lockDirectory(directory, 'other')).rejects.toThrow('is in use by another process.');
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('of twenty that try at once after a crash, exactly one gets the lock', async () => {
  const directory = newDirectory();
  const child = await lockElsewhere(directory);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory, 'one of many')));
  const winners = results.filter((result) => result.status === 'fulfilled');
  expect(winners).toHaveLength(1);
  await winners[0]?.value();
});

test('a folder whose path is longer than a socket may be is locked all the same', async () => {
  vi.stubEnv('TMPDIR', scratch); // the short link stays until the process ends
  const directory = path.join(scratch, 'a-very-long-folder-name-'.repeat(8), 'data');
  const unlock = await lockDirectory(directory, 'one');
  await expect(lockDirectory(directory, 'two')).rejects.toThrow('is in use');
  await unlock();
  vi.unstubAllEnvs();
});

test('a file system without sockets, such as a Windows drive in WSL, is named', async () => {
  const directory = newDirectory();
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    queueMicrotask(() => this.emit('error', Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP' })));
    return this;
  });
  await expect(lockDirectory(directory, 'other')).rejects.toThrow(
    `The file system of ${directory} has no sockets or hard links: a Windows drive in WSL, exFAT or a network share, for example.`,
  );
  listen.mockRestore();
});
