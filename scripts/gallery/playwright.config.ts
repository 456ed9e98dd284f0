import { defineConfig } from '@playwright/test';
import base from '../../playwright.config';

export default defineConfig({
  ...base,
  testDir: '.',
  testIgnore: [],
  outputDir: '../../test-results/gallery',
  snapshotPathTemplate: '{testDir}/screenshots/{arg}{ext}',
  // Letters are drawn differently on other systems, so pictures are compared on Linux; everything else holds everywhere.
  ignoreSnapshots: process.platform !== 'linux',
  reporter: [['list'], ['json', { outputFile: '../../test-results/gallery.json' }]],
});
