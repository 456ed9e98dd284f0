import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'emulators',
    root: import.meta.dirname,
    isolate: false, // files share a worker's modules: half the CPU time. No test may leave state behind.
    restoreMocks: true,
    maxWorkers: Math.ceil(availableParallelism() * 1.5), // a test waits for its files and its servers
    globalSetup: ['testing/template.ts'],
    include: ['**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
