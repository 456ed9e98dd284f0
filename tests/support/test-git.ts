import { spawnSync } from 'node:child_process';
import { test } from 'vitest';

/** Skipped without Git, which someone who downloaded an archive may not have. */
export const testGit = test.skipIf(spawnSync('git', ['--version']).status !== 0);
