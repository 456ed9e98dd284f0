import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkInstallation } from './programs.mjs';

test('an installation that lacks something is refused in one line, with the command that completes it', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'installation-'));
  const make = (place: string) => mkdirSync(path.join(directory, place), { recursive: true });
  const check = () => checkInstallation(directory);
  make('prisma/generated'); // of an earlier installation
  expect(check).toThrow(/^npm has left out the development packages, .*NODE_ENV=production.*: npm ci --include=dev$/);
  rmSync(path.join(directory, 'prisma'), { recursive: true });
  make('node_modules/tsx');
  expect(check).toThrow(/^npm has installed without running scripts\. .*: node scripts\/postinstall\.mjs$/);
  make('prisma/generated');
  expect(check).not.toThrow();
  rmSync(directory, { recursive: true });
});
