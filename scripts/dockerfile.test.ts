import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readIgnoreFile } from './dockerfile.mjs';

test.each(['.gitignore', '.dockerignore'])('%s leaves out secrets and dumps, and keeps .env.example', (name) => {
  const isIgnored = readIgnoreFile(readFileSync(name, 'utf8'));
  for (const file of ['.env', '.env.local', '.env.production', 'backup.dump']) expect(isIgnored(file), file).toBe(true);
  for (const file of ['.env.example', 'package.json', 'lib/integration/env.ts'])
    expect(isIgnored(file), file).toBe(false);
});
