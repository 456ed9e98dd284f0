import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeBuild } from '../build-variables.mjs';
import { readIgnoreFile, readStages } from './dockerfile.mjs';
import { VARIABLES } from './local-env.mjs';

test.each(['.gitignore', '.dockerignore'])('%s leaves out secrets and dumps, and keeps .env.example', (name) => {
  const isIgnored = readIgnoreFile(readFileSync(name, 'utf8'));
  for (const file of ['.env', '.env.local', '.env.production', 'backup.dump']) expect(isIgnored(file), file).toBe(true);
  for (const file of ['.env.example', 'package.json', 'lib/integration/env.ts'])
    expect(isIgnored(file), file).toBe(false);
});

test('every variable that a build holds is a build argument', () => {
  const instructions = readStages(readFileSync('Dockerfile', 'utf8')).get('build')?.instructions ?? [];
  const args = instructions.filter(({ word }) => word === 'ARG').map(({ rest }) => rest);
  const ofDevelopment = 'NEXT_PUBLIC_CLERK_KEYLESS_DISABLED';
  const inPages = VARIABLES.filter((name) => name.startsWith('NEXT_PUBLIC_') && name !== ofDevelopment);
  expect(args).toEqual(expect.arrayContaining([...inPages, ...Object.keys(JSON.parse(describeBuild({})))]));
});

test('.env.example has nothing behind a name: Docker takes a comment there as the value', () => {
  const lines = readFileSync('.env.example', 'utf8').split('\n');
  expect(lines.filter((line) => line && !line.startsWith('#') && !/^[A-Z0-9_]+=$/.test(line))).toEqual([]);
});
