import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { launchOptions } from './scripts/chromium.mjs';
import { loadEnvironment, readDemoEnv } from './scripts/local-env.mjs';

// `npm run test:e2e` builds the app, starts it and sets BASE_URL. Without it, the tests take the address and the keys of
// the local run that was started last. To try one against `npm run dev`: npx playwright test e2e/walk.spec.ts
const isDevelopment = !process.env.BASE_URL;
if (isDevelopment) {
  const env = loadEnvironment();
  Object.assign(process.env, { ...readDemoEnv(env), ...env });
  const isWorker = process.env.TEST_WORKER_INDEX !== undefined;
  if (!isWorker && process.env.APP_URL) {
    console.log(
      `Walks against ${process.env.APP_URL}. Those marked @build are left out: only a production build has static pages, ` +
        'their sizes and the back/forward cache. `npm run test:e2e` runs them.',
    );
  }
}
export default defineConfig({
  testDir: 'e2e',
  testIgnore: process.env.CONTRACT_ONLY ? [] : ['contract-only.spec.ts'], // `npm run test:real-keys` runs that one
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0, // a flaky test is a bug to be found
  // About a quarter of the time a walk waits, for webhooks and timers. Above eight, the servers that walks share are the limit.
  workers: Math.min(8, Math.ceil(availableParallelism() * 1.5)),
  // `npm run dev` compiles each page when a walk first asks for it. What only a build has is marked @build.
  timeout: isDevelopment ? 180_000 : 120_000,
  expect: { timeout: isDevelopment ? 45_000 : 15_000 },
  ...(isDevelopment && { grepInvert: /@build/ }),
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    baseURL: process.env.BASE_URL ?? process.env.APP_URL ?? 'http://localhost:3000',
    screenshot: 'only-on-failure',
    // Nothing slides away under the pointer between its press and its release.
    contextOptions: { reducedMotion: 'reduce' },
    trace: process.env.TRACE ? 'on' : 'off', // recording costs a third of the time: TRACE=1 npm run test:e2e
    launchOptions: launchOptions(),
  },
});
