import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linkPackages } from './link-packages.mjs';

const FOLDER = 'docs/decisions';
const FILE = 'docs/decisions/README.md';
const MEMORY = '/dev/shm';

function copyInto(parent: string): string {
  const directory = mkdtempSync(path.join(parent, 'packages-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  linkPackages(directory, FOLDER);
  return path.join(directory, FILE);
}

test('a folder is copied to its place', () => {
  expect(existsSync(copyInto(tmpdir()))).toBe(true);
});

test.skipIf(!existsSync(MEMORY))('a folder is copied to another file system, where hard links are impossible', () => {
  const copy = statSync(copyInto(MEMORY));
  expect(copy.dev).not.toBe(statSync(FILE).dev);
  expect(copy.size).toBe(statSync(FILE).size);
});
