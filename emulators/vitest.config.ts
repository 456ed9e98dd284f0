import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'emulators',
    root: import.meta.dirname,
    include: ['**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
