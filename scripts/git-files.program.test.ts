import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { testGit } from '@/tests/support/machine';
import { listFiles, listKeptFiles, withoutRepository } from './git-files.mjs';

let parent: string;
let project: string;

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: project, env: withoutRepository(), encoding: 'utf8' });

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'git-files-'));
  project = path.join(parent, 'project');
  execFileSync('git', ['init', '--quiet', project], { env: withoutRepository() });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true });
});

testGit('the files of a folder are listed, also in a hook of Git, which exports another repository', () => {
  writeFileSync(path.join(project, 'a file'), '');
  git('add', '--all');
  const other = path.join(parent, 'other');
  execFileSync('git', ['init', '--quiet', other]);
  vi.stubEnv('GIT_DIR', path.join(other, '.git'));
  expect(listKeptFiles(project)).toEqual(['a file']);
});

testGit('the files that there are leave out a deleted one, and have a new one that is not ignored', () => {
  for (const name of ['kept', 'deleted']) writeFileSync(path.join(project, name), '');
  git('add', '--all');
  rmSync(path.join(project, 'deleted'));
  for (const [name, text] of [
    ['.gitignore', 'ignored'],
    ['ignored', ''],
    ['new', ''],
  ] as const) {
    writeFileSync(path.join(project, name), text);
  }
  expect(listFiles(project).sort()).toEqual(['.gitignore', 'kept', 'new']);
  expect(listKeptFiles(project).sort()).toEqual(['deleted', 'kept']);
});

testGit('with core.autocrlf a checkout has the bytes that are committed', () => {
  copyFileSync('.gitattributes', path.join(project, '.gitattributes'));
  const files = { program: '#!/bin/sh\n', 'migration.sql': 'SELECT 1;\n', 'image.png': 'text\nwithout a zero byte\n' };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);
  git('add', '--all');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'files');
  const checkout = path.join(parent, 'checkout');
  git('clone', '--quiet', '--config', 'core.autocrlf=true', '.', checkout);
  for (const [name, text] of Object.entries(files)) {
    expect(readFileSync(path.join(checkout, name), 'utf8'), name).toBe(text);
  }
});
