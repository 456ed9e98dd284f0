// npm run test:mutation: changes the pure parts of the code in many small ways and counts the changes that no unit test notices.
// `npm run test:mutation -- lib/integration/click-id.ts` tries some files only. StrykerJS reads tsconfig.json with TypeScript's older
// API, so it runs in a temporary copy that has TypeScript 5.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyProject } from './link-packages.mjs';
import { bareEnvironment } from './local-env.mjs';
import { onEnd, spawnNode } from './programs.mjs';

const STRYKER = '9.6.1'; // the last for Node 20
const TOOLS = [`@stryker-mutator/core@${STRYKER}`, `@stryker-mutator/vitest-runner@${STRYKER}`, 'typescript@5.9.3'];

/**
 * What decides, without a database or a clock. Not `env-rules.ts`: tests of the environment load it again, and then each change of
 * its constants counts as one that no test notices.
 */
const PURE = [
  'lib/integration/{attribution-metadata,click-id,plans}.ts',
  'lib/integration/outbox/policy.ts',
  'lib/integration/stripe/entitlement.ts',
  // part: service
  'lib/service/domain/{click,lead}.ts',
  'lib/service/{clean-input,schemas}.ts',
  'lib/service/dashboard/{csv,event-filter,journey,local-demo,partner-totals,session-cookie,sign-in-path}.ts',
  'lib/service/events/{cursor,kinds}.ts',
  'lib/service/payments/{attribution,payment,stripe-event}.ts',
  // end: service
];
const LOWEST_SCORE = 95;

const VITEST = `import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname, 'server-only': path.resolve('node_modules/server-only/empty.js') } },
  test: { include: ['lib/**/*.test.ts'], exclude: ['**/*.db.test.ts', 'lib/tracker/**'], testTimeout: 30_000 },
});
`;

const asked = process.argv.slice(2);
const config = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.ts' },
  mutate: asked.length > 0 ? asked : PURE,
  inPlace: true, // it is a copy already
  ignoreStatic: true, // constants: a file that cannot be loaded has no test that fails, so their result would say nothing
  concurrency: 2,
  timeoutMS: 30_000, // beside other work a test may take many times as long
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 100, low: LOWEST_SCORE, break: LOWEST_SCORE },
};

const directory = mkdtempSync(path.join(tmpdir(), 'mutation-'));
try {
  copyProject(directory);
  process.chdir(directory);
  const install = ['install', '--no-save', '--ignore-scripts', '--prefer-offline', '--loglevel=error', ...TOOLS];
  execFileSync('npm', install, { stdio: 'inherit' });
  writeFileSync('vitest.mutation.ts', VITEST);
  writeFileSync('stryker.config.json', JSON.stringify(config));
  const stryker = spawnNode(['node_modules/@stryker-mutator/core/bin/stryker.js', 'run'], bareEnvironment());
  onEnd(process.env, () => stryker.kill());
  const [code] = await once(stryker, 'exit');
  process.exitCode = code ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
