import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataDirectoryBusyError, findOwner, lockDataDirectory } from './lock.mjs';

let parent: string;
let directory: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'lock-'));
  directory = path.join(parent, 'postgres');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const lockUrl = new URL('./lock.mjs', import.meta.url).href;

/** A process that takes the lock, says how it went, and holds it until its input closes. */
function contender() {
  const source = `
    import { lockDataDirectory } from ${JSON.stringify(lockUrl)};
    try { lockDataDirectory(process.argv[1]); console.log('locked'); } catch (error) { console.log(error.name); }
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
  return { outcome, end, kill };
}

test('a second opener is refused with a message that names the process', () => {
  const lock = lockDataDirectory(directory);
  lock.publish('postgresql://localhost:1/postgres');
  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryBusyError);
  expect(() => lockDataDirectory(directory)).toThrow(`process ${process.pid}`);
  lock.release();
});

test('a released directory can be opened again, and says where it is served', () => {
  lockDataDirectory(directory).release();
  expect(findOwner(directory)).toBeNull();
  const lock = lockDataDirectory(directory);
  lock.publish('postgresql://localhost:2/postgres');
  expect(findOwner(directory)).toMatchObject({ pid: process.pid, url: 'postgresql://localhost:2/postgres' });
  lock.release();
});

test('a lock whose owner was killed is evicted', async () => {
  const owner = contender();
  expect(await owner.outcome).toBe('locked');
  await owner.kill();
  const lock = lockDataDirectory(directory);
  expect(findOwner(directory)?.pid).toBe(process.pid);
  lock.release();
});

test('a lock file that was cut short is evicted', () => {
  writeFileSync(`${directory}.lock`, '{"pid":');
  lockDataDirectory(directory).release();
});

test('of many processes that find a dead owner at once, exactly one wins', async () => {
  const owner = contender();
  await owner.outcome;
  await owner.kill();
  const contenders = Array.from({ length: 8 }, contender);
  const outcomes = await Promise.all(contenders.map(({ outcome }) => outcome));
  expect(outcomes.filter((outcome) => outcome === 'locked')).toHaveLength(1);
  await Promise.all(contenders.map(({ end }) => end()));
});
