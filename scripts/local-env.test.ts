import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bareEnvironment, type Environment } from './local-env.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'env-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a program with a bare environment has no variable of yours, neither of the shell nor of .env.local', () => {
  const url = new URL('./local-env.mjs', import.meta.url);
  const source = `import(${JSON.stringify(url)}).then(({ loadEnvironment: load }) => console.log(load().SVC_API_KEY ?? 'unset'))`;
  const read = (given: Environment) => {
    const env = { ...given, NODE_ENV: 'production' as const }; // for tests, Next's loader leaves .env.local out
    return execFileSync(process.execPath, ['-e', source], { cwd: directory, env, encoding: 'utf8' });
  };
  writeFileSync(path.join(directory, '.env.local'), 'SVC_API_KEY=yours\n');
  const { __NEXT_PROCESSED_ENV, ...unset } = bareEnvironment();
  expect(read(unset)).toBe('yours\n');
  expect(read(bareEnvironment())).toBe('unset\n');
  expect(bareEnvironment()).not.toHaveProperty('SVC_API_KEY');
});
