import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { replaceFile } from './files';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});
const inFolder = (name: string) => path.join(folder, name);

test('a file is replaced as a whole: no byte of the earlier one is overwritten, and a link to it stays', () => {
  writeFileSync(inFolder('file'), 'earlier');
  linkSync(inFolder('file'), inFolder('earlier'));
  symlinkSync('file', inFolder('link'));
  replaceFile(inFolder('link'), 'later');
  expect(readFileSync(inFolder('earlier'), 'utf8')).toBe('earlier');
  expect(lstatSync(inFolder('link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(inFolder('file'), 'utf8')).toBe('later');
});

test('a new file is for this user alone, also where a link leads to none yet, and another one keeps its mode', () => {
  symlinkSync('new', inFolder('link'));
  replaceFile(inFolder('link'), 'text');
  expect(lstatSync(inFolder('link')).isSymbolicLink()).toBe(true);
  expect(statSync(inFolder('new')).mode & 0o777).toBe(0o600);
  writeFileSync(inFolder('open'), 'earlier');
  chmodSync(inFolder('open'), 0o644);
  replaceFile(inFolder('open'), 'later');
  expect(statSync(inFolder('open')).mode & 0o777).toBe(0o644);
});

test('a write that fails leaves the earlier file as it was', () => {
  writeFileSync(inFolder('file'), 'earlier');
  mkdirSync(inFolder(`file.${process.pid}`)); // where the new one is prepared
  expect(() => replaceFile(inFolder('file'), 'later')).toThrow();
  expect(readFileSync(inFolder('file'), 'utf8')).toBe('earlier');
});

test('a write that fails leaves nothing beside', () => {
  mkdirSync(inFolder('folder'));
  expect(() => replaceFile(inFolder('folder'), 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['folder']);
});
