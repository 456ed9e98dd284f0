import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { spawnNode } from './programs.mjs';

/** Runs until it is ended. */
const PROGRAM = ['--eval', "setInterval(() => {}, 1000); console.log('runs')"];

function start() {
  const child = spawnNode(PROGRAM, process.env, { stdout: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('a program ends with its parent, also with one that is gone while the program loads', async () => {
  const [loading, running] = [start(), start()];
  const ends = [once(loading, 'exit'), once(running, 'exit')];
  loading.disconnect();
  if (running.stdout) await once(running.stdout, 'data');
  running.disconnect();
  expect(await Promise.all(ends)).toEqual([
    [null, 'SIGTERM'],
    [null, 'SIGTERM'],
  ]);
});
