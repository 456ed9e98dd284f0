import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const alias = {
  '@': import.meta.dirname,
  // Next resolves this marker at build time; outside of Next it would throw.
  'server-only': path.resolve(import.meta.dirname, 'node_modules/server-only/empty.js'),
};

// part: service
/** The service reads its variables once, so all files of a worker share them. */
const serviceVariables = { SVC_STRIPE_WEBHOOK_SECRET: 'whsec_tests', CRON_SECRET: 'secret of the scheduler' };
// end: service

/**
 * They start sooner than processes, and take 5 to 9 % less time. Not for tests that start programs: until a new process runs its
 * program, it holds the sockets of every thread, and ports are drawn by the ID of the process.
 */
const pool = 'threads';

export default defineConfig({
  resolve: { alias },
  css: { postcss: {} }, // no test loads a stylesheet: a run starts without Tailwind's compiler
  test: {
    maxWorkers: '100%', // Vitest would leave one core idle, which is half of a machine with two
    restoreMocks: true, // files share a worker: a spy of a test that has failed must not reach the next one
    silent: 'passed-only', // what the code logs is shown where a test fails
    // As Next's server begins. Else it depends on what a worker has loaded before whether the console works that Next replaces.
    setupFiles: ['next/dist/server/node-environment-baseline.js'],
    projects: [
      'emulators', // part: emulators
      {
        extends: true,
        test: {
          name: 'unit',
          pool,
          isolate: false, // files share a worker's modules: half the CPU time. No test may leave state behind.
          include: ['{lib,app,components,scripts,tests}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.{db,program}.test.ts', 'tests/{contract,reliability,security}/**', '**/node_modules/**'],
          testTimeout: 60_000, // a test that loads a route waits for its compilation
          hookTimeout: 60_000,
        },
      },
      {
        // In-memory PostgreSQL for the run, one for each core up to four, migrated once; each test makes a program of its own.
        extends: true,
        test: {
          name: 'database',
          pool,
          isolate: false,
          env: serviceVariables, // part: service
          include: ['{lib,tests}/**/*.db.test.ts'],
          maxWorkers: Math.min(6, Math.ceil(availableParallelism() * 1.5)), // a test waits for its database a third of the time
          sequence: { groupOrder: 1 }, // after the unit tests, which have another number of workers
          globalSetup: ['tests/support/global-database.ts'],
          setupFiles: ['tests/support/worker-database.ts'],
          testTimeout: 240_000,
          hookTimeout: 60_000,
        },
      },
      {
        // They start processes, build, lint or pack: most of the time is theirs, so they are not part of `npm run test:unit`.
        extends: true,
        test: {
          name: 'programs',
          isolate: false,
          maxWorkers: Math.ceil(availableParallelism() * 1.5), // a test waits for its programs
          env: serviceVariables, // part: service
          include: ['{lib,scripts,tests}/**/*.program.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // part: service
      {
        // Black box: HTTP and a base URL. `npm test` starts the app for them.
        extends: true,
        test: {
          name: 'contract',
          pool,
          isolate: false,
          include: ['tests/contract/**/*.test.ts'],
          testTimeout: process.env.CONTRACT_PROGRAM ? 180_000 : 30_000, // a remote service may limit the rate
        },
      },
      // Processes of the production build, started, killed and attacked: `npm run test:reliability`, `npm run test:security`.
      ...['reliability', 'security'].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`tests/${name}/**/*.test.ts`],
          globalSetup: ['tests/support/global-data-directory.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          fileParallelism: false, // what one test measures, another would disturb
        },
      })),
      // end: service
    ],
  },
});
