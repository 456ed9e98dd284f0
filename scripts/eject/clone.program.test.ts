import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { testGit } from '@/tests/support/machine';
import { withoutRepository } from '../git-files.mjs';
import { Clone } from './clone.mjs';

const AUTHOR = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
const here = process.cwd();
let parent: string;
let clone: Clone | undefined;

const git = (directory: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: directory, env: withoutRepository(), encoding: 'utf8' }).trim();

function createRepository(name: string, files: Record<string, string>): string {
  const directory = path.join(parent, name);
  git(parent, 'init', '--quiet', directory);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(directory, file), text);
  git(directory, 'add', '--all');
  git(directory, ...AUTHOR, 'commit', '--quiet', '-m', 'first');
  return directory;
}

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'clone-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.chdir(here);
  clone?.remove();
  rmSync(parent, { recursive: true });
});

testGit('in a hook of Git, which exports its repository, a clone commits to itself and its npm sees none', async () => {
  const scripts = { where: 'test -z "$GIT_DIR$GIT_INDEX_FILE"' };
  const project = createRepository('project', { 'package.json': JSON.stringify({ scripts }), 'gone.ts': '' });
  const other = createRepository('other', { 'kept.ts': '' });
  const before = git(other, 'rev-parse', 'HEAD');
  vi.stubEnv('GIT_DIR', path.join(other, '.git'));
  vi.stubEnv('GIT_INDEX_FILE', path.join(other, '.git', 'index'));
  process.chdir(project);

  clone = new Clone();
  rmSync(path.join(clone.directory, 'gone.ts'));
  clone.commit('without a file');
  await clone.npm(['run', 'where']);

  expect(clone.files()).toEqual(['package.json']);
  expect(git(clone.directory, 'log', '--format=%s')).toBe('without a file\nfirst');
  expect([git(other, 'rev-parse', 'HEAD'), git(other, 'status', '--porcelain')]).toEqual([before, '']);
});
