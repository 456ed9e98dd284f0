import {
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
  expect(statSync(inFolder('file')).mode & 0o777).toBe(0o600);
});

test('a write that fails leaves nothing beside', () => {
  mkdirSync(inFolder('folder'));
  expect(() => replaceFile(inFolder('folder'), 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['folder']);
});
