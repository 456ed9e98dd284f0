import { defineConfig } from '@playwright/test';
import base from '../../playwright.config';

// Providers on the internet take longer than a machine of your own, and Checkout its time.
export default defineConfig({
  ...base,
  testDir: '.',
  testIgnore: [],
  outputDir: '../../test-results/test-mode-walk',
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: '../../test-results/test-mode.json' }]],
});
