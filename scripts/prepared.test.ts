import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { whenChanged } from './prepared.mjs';

let DATA_DIR: string;
let file: string;
let done: number;
let found: string;

beforeEach(() => {
  DATA_DIR = mkdtempSync(path.join(tmpdir(), 'prepared-'));
  file = path.join(DATA_DIR, 'seed.ts');
  writeFileSync(file, 'one');
  [done, found] = [0, 'nothing'];
});
afterEach(() => rmSync(DATA_DIR, { recursive: true, force: true }));

const prepare = () =>
  whenChanged({ DATA_DIR }, { name: 'seed', files: [file], read: async () => found }, async () => {
    done += 1;
    found = 'something';
  });

test('is done once, and again after a change of a file or of what is there', async () => {
  await prepare();
  await prepare();
  expect(done).toBe(1);
  writeFileSync(file, 'two');
  await prepare();
  expect(done).toBe(2);
  found = 'nothing'; // a reset
  await prepare();
  await prepare();
  expect(done).toBe(3);
});

test('is tried again where it failed', async () => {
  const fails = whenChanged({ DATA_DIR }, { name: 'seed', files: [], read: async () => found }, async () => {
    throw new Error('unreachable');
  });
  await expect(fails).rejects.toThrow('unreachable');
  await prepare();
  expect(done).toBe(1);
});

test('what is prepared side by side is all remembered', async () => {
  const done: string[] = [];
  const prepareBoth = () =>
    Promise.all(
      ['one', 'two'].map((name) =>
        whenChanged({ DATA_DIR }, { name, files: [], read: async () => found }, async () => done.push(name)),
      ),
    );
  await prepareBoth();
  await prepareBoth();
  expect(done).toEqual(['one', 'two']);
});
