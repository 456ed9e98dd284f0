import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { testGit } from '@/tests/support/machine';
import { findRefusal, Refusal, readChanges, readRequest } from './request.mjs';

const part = {
  what: 'the alpha',
  next: '',
  paths: [],
  scripts: [],
  dependencies: [],
  fences: [],
  words: /alpha/,
  edits: {},
};
const parts = { alpha: part, sample: { ...part, what: 'the sample', sampleName: 'Sample' } };
const read = (...args: string[]) => readRequest(args, parts);

describe('what is asked for', () => {
  test('a part, by its name', () => {
    expect(read('alpha')).toEqual({ part: 'alpha', name: undefined, isDropping: false });
    expect(read('alpha', '--drop-tables')).toMatchObject({ isDropping: true });
    expect(read('sample', '--name', 'Acme Inc.')).toMatchObject({ part: 'sample', name: 'Acme Inc.' });
  });

  test.each([[[]], [['gamma']], [['alpha', 'sample']], [['toString']]])(
    '%j is no part, and the message lists them',
    (args) => {
      expect(() => read(...args)).toThrow(/^Name one part to remove.*:\n {2}npm run eject -- alpha +the alpha\n/);
    },
  );

  test('an unknown part is named', () => {
    expect(() => read('gamma')).toThrow('there is none called "gamma"');
  });

  test('a part with a sample name keeps it without another, and nothing else takes one', () => {
    expect(read('sample')).toMatchObject({ part: 'sample', name: 'Sample' });
    expect(() => read('alpha', '--name', 'Acme')).toThrow('--name does not go with alpha');
  });

  test.each(["Acme's", '<b>', 'A & B', '-acme', ''])('the name %j is refused: it would end up in code', (name) => {
    expect(() => read('sample', `--name=${name}`)).toThrow(/name/);
  });

  test('an unknown option is refused', () => {
    expect(() => read('alpha', '--force')).toThrow("Unknown option '--force'");
  });
});

describe('when a part is not removed', () => {
  const ready = { isPresent: true, changes: '', applied: [], isDropping: false };

  test('a clean work tree and no tables elsewhere: it is removed', () => {
    expect(findRefusal(ready)).toBeNull();
  });

  test('it is gone already', () => {
    expect(findRefusal({ ...ready, isPresent: false })).toBe('This part has been removed already.');
  });

  test('half of it is gone, because a removal failed: that is not called removed', () => {
    expect(findRefusal({ ...ready, isPresent: false, changes: ' D a.ts' })).toMatch(/^There are uncommitted changes\./);
  });

  test('uncommitted changes are listed', () => {
    expect(findRefusal({ ...ready, changes: ' M README.md' })).toMatch(
      /^There are uncommitted changes\..*\n M README\.md$/,
    );
  });

  test('its tables are in a database of your own, unless they may be dropped', () => {
    const applied = ['1_alpha'];
    expect(findRefusal({ ...ready, applied })).toMatch(/1_alpha were applied there\.\n.*--drop-tables/);
    expect(findRefusal({ ...ready, applied, isDropping: true })).toBeNull();
  });
});

testGit('files that Git does not know are seen, also where its settings hide them: the undo deletes them', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'eject-'));
  execFileSync('git', ['init', '--quiet', directory]);
  execFileSync('git', ['-C', directory, 'config', 'status.showUntrackedFiles', 'no']);
  writeFileSync(path.join(directory, 'draft.ts'), '');
  expect(readChanges(directory)).toBe('?? draft.ts');
  rmSync(directory, { recursive: true });
});

describe('a folder without Git', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('is refused with what to do', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'eject-'));
    expect(() => readChanges(directory)).toThrow(Refusal);
    expect(() => readChanges(directory)).toThrow(/\(.+\)\. Install Git, run `git init`/s);
    rmSync(directory, { recursive: true });
  });

  testGit('is refused in a hook of Git, too, which exports the repository of another folder', () => {
    const [directory, other] = ['eject-', 'other-'].map((name) => mkdtempSync(path.join(tmpdir(), name))) as [
      string,
      string,
    ];
    execFileSync('git', ['init', '--quiet', other]);
    vi.stubEnv('GIT_DIR', path.join(other, '.git'));
    expect(() => readChanges(directory)).toThrow(Refusal);
    for (const each of [directory, other]) rmSync(each, { recursive: true });
  });
});
