import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, test, vi } from 'vitest';
import { BLANKS, COMPLETE } from '@/tests/support/configuration';
import { testGit } from '@/tests/support/machine';
import { CREATE_NEXT_APP } from './app.mjs';
import { GUIDE, generate, namedVariables, RECIPES, readSteps } from './guide.mjs';
import { RECIPE_WALKS } from './walk-recipes.mjs';

const read = (file: string) => readFileSync(file, 'utf8');

testGit.each([GUIDE, RECIPES])(
  '%s has the diffs and the figures of the files: else run node scripts/copy/guide.mjs',
  (file) => {
    expect(generate(read(file))).toBe(read(file));
  },
);

test('the versions that the guide and the README name are those that the test installs', () => {
  const { dependencies } = JSON.parse(read('package.json'));
  const majorOf = (version: string) => version.split('.')[0];
  const [next, clerk, stripe, prisma] = ['next', '@clerk/nextjs', 'stripe', '@prisma/client'].map((name) =>
    majorOf(dependencies[name]),
  );
  const sentence = `ested with Next ${next}, \`@clerk/nextjs\` ${clerk}, \`stripe\` ${stripe} and Prisma ${prisma}`;
  for (const file of [GUIDE, 'README.md']) expect(read(file)).toContain(sentence);
  expect(majorOf(CREATE_NEXT_APP)).toBe(`create-next-app@${next}`);
});

test('the license is copied with the code', () => {
  const commands = readSteps(read(GUIDE)).filter(({ kind }) => kind === 'commands');
  const copies = commands.map(({ text }) => text).filter((text) => text.includes('cp -R "$KIT/lib/integration" '));
  expect(copies).toEqual([expect.stringContaining('cp "$KIT/LICENSE" "$SRC/lib/integration/"\n')]);
});

test('every recipe is walked through, and every walk has its recipe', () => {
  const titles = [...read(RECIPES).matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect([...Object.keys(RECIPE_WALKS), 'Routes without a session']).toEqual(titles);
});

test.each([GUIDE, RECIPES])('%s makes no file of the reader a client component: a page may export metadata', (file) => {
  const changed = readSteps(read(file)).filter(({ text }) => text.startsWith('--- a/'));
  expect(changed).not.toEqual([]);
  expect(changed.filter(({ text }) => text.includes("+'use client'"))).toEqual([]);
});

/** The calls by which a file binds what a Stripe customer pays for to a user, by function. */
const userCallsIn = (file: string) =>
  read(file)
    .split(/^(?:export )?(?:async )?function /m)
    .slice(1)
    .map((text) => [
      text.slice(0, text.indexOf('(')),
      text.match(/\b(endBilling|isErased|(?:keep\w*|read|replace)Customer)(?=\()/g) ?? [],
    ])
    .filter(([, calls = []]) => calls.length > 0);

test('for organizations that pay, the guide names every call that binds what they bought to a user', () => {
  const section = read(GUIDE)
    .split(/^(?=###? )/m)
    .find((text) => text.startsWith('### Organizations that pay\n'));
  const files = ['lib/integration/stripe/fulfil.ts', 'examples/recipes/backfill/backfill.ts'];
  const calls = files.flatMap(userCallsIn);
  expect(calls).toEqual([
    ['fulfilSession', ['isErased', 'endBilling']],
    ['storeSession', ['keepBestCustomer', 'readCustomer']],
    ['refuseUnknownPlan', ['readCustomer']],
    ['fulfilSubscription', ['isErased', 'endBilling']],
    ['backfillSubscriptions', ['keepBestCustomer', 'isErased', 'readCustomer', 'endBilling']],
    ['backfillPurchases', ['keepCustomer', 'readCustomer']],
  ]);
  for (const name of calls.flat(2)) expect(section).toContain(`\`${name}\``);
});

test('an example that opens a Checkout session opens none for a subscriber', () => {
  const files = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const checkouts = files
    .map((name) => read(path.join('examples', name)))
    .filter((text) => text.includes('createAttributedSession('));
  expect(checkouts).toHaveLength(2);
  for (const text of checkouts) expect(text).toMatch(/startSubscription\([^;]*createAttributedSession\(/);
});

test.each(['durable', 'recipes'])('the proxy.ts of %s accepts session tokens of no other site', async (level) => {
  vi.doMock('@clerk/nextjs/server', () => ({ clerkMiddleware: (_: unknown, options: () => object) => options() }));
  vi.resetModules();
  const variables = { ...BLANKS, ...COMPLETE, APP_URL: 'https://shop.example/' };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    const { default: options } = await import(`@/examples/${level}/proxy.ts`);
    expect(options).toEqual({ authorizedParties: ['https://shop.example'] });
  } finally {
    vi.unstubAllEnvs();
    vi.doUnmock('@clerk/nextjs/server');
    vi.resetModules();
  }
});

// An app with a middleware.ts, or an edge route, compiles it for the edge runtime, too, where the database driver does not exist.
test.each(['instrumentation.ts', 'examples/durable/instrumentation.ts'])(
  '%s takes nothing of the integration into what Next compiles for the edge',
  async (file) => {
    expect(await importsOf(file, 'nodejs')).toContain('./lib/integration/start');
    expect(await importsOf(file, 'edge')).toEqual([]);
  },
);

type Bundle = () => { webpack: Webpack };
type Webpack = {
  (options: object, done: (error: unknown) => void): void;
  DefinePlugin: new (values: Record<string, string>) => object;
};

/** What Next's webpack follows from a file, for a runtime. */
async function importsOf(file: string, runtime: 'nodejs' | 'edge'): Promise<string[]> {
  const bundle: Bundle = createRequire(import.meta.url)('next/dist/compiled/webpack/bundle5.js');
  const { webpack } = bundle();
  const directory = mkdtempSync(path.join(tmpdir(), 'instrumentation-'));
  const imports: string[] = [];
  try {
    writeFileSync(path.join(directory, 'entry.mjs'), transformSync(read(file), { loader: 'ts' }).code);
    const options = {
      mode: 'production',
      optimization: { minimize: false },
      context: directory,
      entry: './entry.mjs',
      output: { path: directory },
      plugins: [new webpack.DefinePlugin({ 'process.env.NEXT_RUNTIME': JSON.stringify(runtime) })],
      externals: ({ request, contextInfo }: { request: string; contextInfo: { issuer: string } }) => {
        if (!contextInfo.issuer) return Promise.resolve();
        imports.push(request);
        return Promise.resolve('{}');
      },
    };
    await new Promise<void>((resolve, reject) => {
      webpack(options, (error) => (error ? reject(error) : resolve()));
    });
    return imports;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('a guide', () => {
  const guide = [
    '## 1. Capture',
    '**Cost:** something else.',
    '<!-- diff: minimal proxy.ts -->\n```diff\n-stale\n```',
    '```sh\nnot run\n```\n```dotenv\nSVC_API_KEY=\n```',
    '## 2. Keep',
    '**Cost:** something else.',
    '```sh run\ncp "$KIT/lib/integration/http.ts" "$SRC/lib/"\n```',
    '<!-- diff: durable proxy.ts -->\n```diff\n```',
    '',
  ].join('\n');

  testGit('is generated with each diff as its files have it, and what each section costs', () => {
    const generated = generate(guide);
    expect(generated).toContain("+export const config = { matcher: ['/((?!_next|api/webhooks/|.*\\\\..*).*)'] };");
    expect(generated).not.toContain('-stale');
    const lines = read('lib/integration/http.ts').split('\n').length - 1;
    expect(generated.match(/^\*\*Cost:\*\* .*$/gm)).toEqual([
      '**Cost:** 2 lines in 1 file.',
      `**Cost:** 6 lines in 1 file, ${lines} copied lines in 1 file.`,
    ]);
  });

  test('without Git is not generated, and a message says that it is needed', () => {
    vi.stubEnv('PATH', '/nowhere');
    try {
      expect(() => generate(guide)).toThrow('The diffs of the documents need Git: spawnSync git ENOENT');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  testGit('is read as the steps that a reader takes, each with its level', () => {
    expect(readSteps(generate(guide)).map(({ section, level, kind }) => [section, level, kind])).toEqual([
      ['1. Capture', 'minimal', 'diff'],
      ['1. Capture', 'minimal', 'variables'],
      ['2. Keep', 'durable', 'commands'],
      ['2. Keep', 'durable', 'diff'],
    ]);
    expect(namedVariables(readSteps(guide))).toEqual(['SVC_API_KEY']);
  });
});
