// Every wrong configuration has one sentence that names the variable and the remedy. `commands.program.test.ts` shows that the
// commands print it; one that uses few variables checks only those.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { describeBuild, findChangedSinceBuild, isActionsKeyMissing } from '../build-variables.mjs';
import { applyEmbeddedService, isServiceEmbedded } from '../lib/service/switch.mjs'; // part: service
import { findLocalProviders } from '../provider-addresses.mjs';
import { completeEnvironment, loadEnvironment } from '../scripts/local-env.mjs';
import { APP, BLANKS, CLERK, COMPLETE, keyOf, SERVICE, STRIPE, type Variables } from './support/configuration';

afterEach(() => vi.unstubAllEnvs());

/** Sets exactly these variables. Values are read once, so what reads them is imported afterwards. */
function configure(variables: Variables): void {
  for (const [name, value] of Object.entries({ ...BLANKS, ...variables })) vi.stubEnv(name, value);
  vi.resetModules();
}

/** What the check says of exactly these variables. */
async function problemsOf(variables: Variables, stage: 'build' | 'run') {
  configure(variables);
  return (await import('../scripts/check-environment')).findEnvironmentProblems(stage);
}

type Row = [what: string, variables: Variables, named: Record<string, RegExp>];

/** Wrong at build time as well as at start. */
const MALFORMED: Row[] = [
  [
    'a publishable key without a host',
    { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'pk_test_foo' },
    { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: /malformed .* Where to find it: Clerk dashboard, API keys/ },
  ],
  [
    'an APP_URL without http://',
    { APP_URL: 'localhost:4111' },
    { APP_URL: /malformed \(has to be a URL such as https/ },
  ],
  ['an APP_URL with a path', { APP_URL: 'https://a.com/shop' }, { APP_URL: /has to be a URL without a path/ }],
  [
    "Clerk's two keys swapped",
    {
      NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: CLERK.CLERK_SECRET_KEY,
      CLERK_SECRET_KEY: CLERK.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY,
    },
    { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: /this is a secret key/, CLERK_SECRET_KEY: /this is a publishable key/ },
  ],
  [
    "Stripe's key and signing secret swapped",
    { STRIPE_SECRET_KEY: 'whsec_1', STRIPE_WEBHOOK_SECRET: 'sk_test_1' },
    { STRIPE_SECRET_KEY: /this is a signing secret/, STRIPE_WEBHOOK_SECRET: /this is a secret key/ },
  ],
  [
    'signing secrets of which only the prefix was pasted, with which anyone could sign',
    {
      CLERK_WEBHOOK_SIGNING_SECRET: 'whsec_',
      CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS: 'whsec_',
      STRIPE_WEBHOOK_SECRET: 'whsec_',
    },
    {
      CLERK_WEBHOOK_SIGNING_SECRET: /has only its prefix/,
      CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS: /has only its prefix/,
      STRIPE_WEBHOOK_SECRET: /has only its prefix/,
    },
  ],
  [
    'a signing secret that was pasted in part',
    { CLERK_WEBHOOK_SIGNING_SECRET: 'whsec_abc' },
    { CLERK_WEBHOOK_SIGNING_SECRET: /has to be the whole secret/ },
  ],
  [
    'one key for Clerk and Stripe',
    { STRIPE_SECRET_KEY: 'sk_test_clerk' },
    { STRIPE_SECRET_KEY: /has the value of CLERK_SECRET_KEY.*copy/ },
  ],
  [
    'one signing secret for Clerk and Stripe',
    { STRIPE_WEBHOOK_SECRET: CLERK.CLERK_WEBHOOK_SIGNING_SECRET },
    { STRIPE_WEBHOOK_SECRET: /has the value of CLERK_WEBHOOK_SIGNING_SECRET/ },
  ],
  [
    'a public key that a file of variables has cut at its first line break',
    { CLERK_JWT_KEY: '-----BEGIN PUBLIC KEY-----' },
    { CLERK_JWT_KEY: /has to be the whole PEM on one line/ },
  ],
  [
    'a public key with escaped line breaks, which Docker keeps',
    { CLERK_JWT_KEY: String.raw`-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----` },
    { CLERK_JWT_KEY: /has to be the whole PEM on one line/ },
  ],
  [
    'live Stripe with test Clerk',
    { STRIPE_SECRET_KEY: 'sk_live_1' },
    { STRIPE_SECRET_KEY: /is a live key.*Use an sk_test_ key/ },
  ],
  [
    "Clerk's keys of two modes",
    { CLERK_SECRET_KEY: 'sk_live_1' },
    { CLERK_SECRET_KEY: /Copy both from the same page/ },
  ],
  [
    'a secret with a public name',
    { NEXT_PUBLIC_STRIPE_SECRET_KEY: 'sk_test_2' },
    { NEXT_PUBLIC_STRIPE_SECRET_KEY: /Rename it without NEXT_PUBLIC_/ },
  ],
  [
    'a service address without https://',
    { NEXT_PUBLIC_SVC_BASE_URL: 'svc.example.com' },
    { NEXT_PUBLIC_SVC_BASE_URL: /malformed/ },
  ],
  [
    'an API address of a provider that is none',
    { STRIPE_API_URL: 'localhost:3001', CLERK_API_URL: 'clerk' },
    { STRIPE_API_URL: /malformed/, CLERK_API_URL: /malformed/ },
  ],
  [
    'an API address of Stripe with a path, which its SDK cannot take',
    { STRIPE_API_URL: 'https://gateway.example/stripe' },
    { STRIPE_API_URL: /has to be a URL without a path/ },
  ],
  ['a Checkout domain without https://', { CHECKOUT_ORIGINS: 'pay.example.com' }, { CHECKOUT_ORIGINS: /malformed/ }],
  ['a short CRON_SECRET', { CRON_SECRET: 'short' }, { CRON_SECRET: /malformed .*openssl rand/ }],
  [
    'a database that is no PostgreSQL',
    { DATABASE_URL: 'mysql://localhost/shop' },
    { DATABASE_URL: /has to start with postgresql/ },
  ],
  [
    'a password with # in the address of the database',
    { DATABASE_URL: 'postgresql://user:p#ss@localhost/shop' },
    { DATABASE_URL: /malformed .*%23/ },
  ],
  // part: service
  [
    'a signing secret of the embedded service that is none',
    { NEXT_PUBLIC_SVC_BASE_URL: '', SVC_STRIPE_WEBHOOK_SECRET: 'bar' },
    { SVC_STRIPE_WEBHOOK_SECRET: /malformed .* Where to find it: Stripe dashboard/ },
  ],
  [
    'a number of proxies that is none',
    { NEXT_PUBLIC_SVC_BASE_URL: '', SVC_STRIPE_WEBHOOK_SECRET: `whsec_${'1'.repeat(32)}`, TRUSTED_PROXIES: 'many' },
    { TRUSTED_PROXIES: /malformed \(has to be how many addresses your own proxies append to X-Forwarded-For, 0 to 10/ },
  ],
  // end: service
];

/** What is missing stops a start, and not a build. */
const MISSING: Row[] = [
  [
    'no signing secret of Clerk',
    { CLERK_WEBHOOK_SIGNING_SECRET: '' },
    { CLERK_WEBHOOK_SIGNING_SECRET: /Where to find it: Clerk dashboard, Webhooks/ },
  ],
  [
    'no Stripe at all',
    { STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: ' ' },
    { STRIPE_SECRET_KEY: /Stripe dashboard/, STRIPE_WEBHOOK_SECRET: /Stripe dashboard/ },
  ],
  ['no database', { DATABASE_URL: '' }, { DATABASE_URL: /is not set/ }],
  ['no API key of the service', { SVC_API_KEY: '' }, { SVC_API_KEY: /tracking service's dashboard/ }],
  [
    "Stripe's key under another name",
    { STRIPE_SECRET_KEY: '', STRIPE_KEY: 'sk_test_1' },
    { STRIPE_SECRET_KEY: /STRIPE_KEY is set: rename it to STRIPE_SECRET_KEY/ },
  ],
  [
    "Clerk's signing secret under another name",
    { CLERK_WEBHOOK_SIGNING_SECRET: '', CLERK_WEBHOOK_SECRET: 'whsec_1' },
    { CLERK_WEBHOOK_SIGNING_SECRET: /CLERK_WEBHOOK_SECRET is set: rename it/ },
  ],
  [
    'the database under another name',
    { DATABASE_URL: '', POSTGRES_URL: 'postgresql://h/d' },
    { DATABASE_URL: /POSTGRES_URL is set: rename it/ },
  ],
  // part: service
  [
    'no signing secret of the embedded service',
    { NEXT_PUBLIC_SVC_BASE_URL: '' },
    { SVC_STRIPE_WEBHOOK_SECRET: /no sale would be attributed\. Where to find it/ },
  ],
  // end: service
];

/** What `next build` writes into what it builds has to be there by then. */
const MISSING_AT_BUILD: Row[] = [
  [
    'no publishable key',
    { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: '' },
    { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: /is not set/ },
  ],
  [
    'the publishable key under another name',
    { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: '', CLERK_PUBLISHABLE_KEY: keyOf('a.b') },
    { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: /CLERK_PUBLISHABLE_KEY is set: rename it/ },
  ],
  ['no program ID', { NEXT_PUBLIC_SVC_PROGRAM_ID: '' }, { NEXT_PUBLIC_SVC_PROGRAM_ID: /tracking service's dashboard/ }],
  // part: service
  [
    'no program of the embedded service',
    {
      NEXT_PUBLIC_SVC_BASE_URL: '',
      NEXT_PUBLIC_SVC_PROGRAM_ID: '',
      SVC_STRIPE_WEBHOOK_SECRET: `whsec_${'1'.repeat(32)}`,
    },
    { NEXT_PUBLIC_SVC_PROGRAM_ID: /is not set/ },
  ],
  // end: service
];

const checks = [
  ...[...MALFORMED, ...MISSING_AT_BUILD].flatMap((row) => [['build', ...row] as const, ['run', ...row] as const]),
  ...MISSING.map((row) => ['run', ...row] as const),
];

describe('the check of the variables', () => {
  test.each(checks)(
    '%s with %s names each variable and its remedy, and no other',
    async (stage, _, variables, named) => {
      const problems = await problemsOf({ ...COMPLETE, ...variables }, stage);
      expect(problems.map(({ variable }) => variable).sort()).toEqual(Object.keys(named).sort());
      for (const { variable, message } of problems) {
        expect(message).toMatch(new RegExp(`^${variable} `));
        expect(message).toMatch(named[variable] ?? /^$/);
        expect(message).not.toContain('\n');
      }
    },
  );

  test.each(MISSING)('build with %s is no problem', async (_, variables) => {
    expect(await problemsOf({ ...COMPLETE, ...variables }, 'build')).toEqual([]);
  });

  test('has nothing to say about a complete configuration', async () => {
    expect(await problemsOf(COMPLETE, 'run')).toEqual([]);
    expect(await problemsOf(COMPLETE, 'build')).toEqual([]);
  });

  test.each([
    ['only Clerk', CLERK, Object.keys(STRIPE), Object.keys(CLERK)],
    ['only Stripe', STRIPE, Object.keys(CLERK), Object.keys(STRIPE)],
    ['neither', {}, [...Object.keys(CLERK), ...Object.keys(STRIPE)], []],
  ])('with %s lists what the other lacks', async (_, variables, missing, present) => {
    const named = (await problemsOf({ ...APP, ...SERVICE, ...variables }, 'run')).map(({ variable }) => variable);
    expect(named).toEqual(expect.arrayContaining(missing));
    for (const name of present) expect(named).not.toContain(name);
  });
});

// part: service
test("the embedded service has the demo's program with the demo's keys only: a deployment has to name its own", () => {
  const programOf = (env: Record<string, string | undefined>) => {
    applyEmbeddedService(env);
    return env.NEXT_PUBLIC_SVC_PROGRAM_ID;
  };
  expect(programOf({ SVC_API_KEY: 'any', SVC_OPEN_API_KEY: 'open' })).toBe('prg_demo');
  expect(programOf({ SVC_API_KEY: 'any', SVC_OPEN_API_KEY: 'open', NEXT_PUBLIC_SVC_PROGRAM_ID: '123' })).toBe('123');
  expect(programOf({ SVC_API_KEY: 'any' })).toBeUndefined();
  expect(programOf({ SVC_OPEN_API_KEY: 'open', NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com' })).toBeUndefined();
});
// end: service

describe('space around a value is no part of it, and blank means unset', () => {
  const spaced = { NEXT_PUBLIC_SVC_BASE_URL: ' ', STRIPE_API_URL: ' ', DATABASE_URL: 'postgresql://h/db ' };

  test('where the build reads it', async () => {
    for (const [name, value] of Object.entries({ ...spaced, CHECKOUT_ORIGINS: ' https://pay.example.com\n' })) {
      vi.stubEnv(name, value);
    }
    vi.resetModules();
    const { default: config } = await import('../next.config.mjs');
    const headers = (await config.headers?.())?.flatMap((route) => route.headers) ?? [];
    expect(headers.find(({ key }) => key === 'Content-Security-Policy')?.value).toContain(
      'https://checkout.stripe.com https://billing.stripe.com https://pay.example.com',
    );
    expect(config.pageExtensions).toContain('service.ts'); // part: service
    expect(
      findChangedSinceBuild(config.env?.BUILT_WITH ?? '', {
        STRIPE_API_URL: '\n',
        CHECKOUT_ORIGINS: 'https://pay.example.com',
      }),
    ).toEqual([]);
  });

  test('where the database is opened', async () => {
    vi.stubEnv('DATABASE_URL', spaced.DATABASE_URL);
    expect((await import('@/prisma/database-url')).readDatabaseUrl()).toBe('postgresql://h/db');
  });

  test('where a command reads it', () => {
    for (const [name, value] of Object.entries(spaced)) vi.stubEnv(name, value);
    const { DATABASE_URL, STRIPE_API_URL } = loadEnvironment();
    expect([DATABASE_URL, STRIPE_API_URL]).toEqual(['postgresql://h/db', undefined]);
  });

  // part: service
  test('where the service is chosen, and in its own variables', async () => {
    expect(isServiceEmbedded(spaced)).toBe(true);
    for (const [name, value] of Object.entries({ CRON_SECRET: 'a secret\n', TRUSTED_PROXIES: ' ', APP_URL: ' ' })) {
      vi.stubEnv(name, value);
    }
    vi.resetModules();
    const { serviceEnv } = await import('@/lib/service/env');
    expect(serviceEnv()).toMatchObject({ CRON_SECRET: 'a secret', TRUSTED_PROXIES: 0, APP_URL: undefined });
  });
  // end: service
});

describe('a local run', () => {
  let DATA_DIR: string;
  beforeAll(() => {
    DATA_DIR = mkdtempSync(path.join(tmpdir(), 'configuration-'));
  });
  afterAll(() => rmSync(DATA_DIR, { recursive: true }));

  test("starts with a provider's API keys alone: the signing secrets are generated", async () => {
    const { CLERK_WEBHOOK_SIGNING_SECRET: _clerk, ...clerkKeys } = CLERK;
    const { STRIPE_WEBHOOK_SECRET: _stripe, ...stripeKeys } = STRIPE;
    const env = completeEnvironment({ ...APP, ...SERVICE, ...clerkKeys, ...stripeKeys, DATA_DIR }, {});
    expect(await problemsOf(env as Variables, 'run')).toEqual([]);
  });

  test('keeps secrets of yours', () => {
    const env = completeEnvironment({ ...COMPLETE, DATA_DIR }, {});
    expect(env.CLERK_WEBHOOK_SIGNING_SECRET).toBe(CLERK.CLERK_WEBHOOK_SIGNING_SECRET);
  });
});

test.each([
  [true, 'a deployment without one', {}],
  [false, 'a deployment with one', { NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: 'x' }],
  [false, 'this machine', { APP_URL: 'http://localhost:3000' }],
])('a warning about the key for server actions (%s) in a build for %s', (isWarned, _, variables) => {
  expect(isActionsKeyMissing({ ...COMPLETE, ...variables })).toBe(isWarned);
});

describe('a server that is started with other variables than its build', () => {
  const built = describeBuild(COMPLETE);

  test.each([
    [
      'another publishable key',
      { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: keyOf('other.clerk.dev') },
      'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY',
    ],
    ['another service', { NEXT_PUBLIC_SVC_BASE_URL: 'https://other.example.com' }, 'NEXT_PUBLIC_SVC_BASE_URL'],
    ['a provider address that the policy lacks', { STRIPE_API_URL: 'http://localhost:1' }, 'STRIPE_API_URL'],
  ])('names %s', (_, variables, name) => {
    expect(findChangedSinceBuild(built, { ...COMPLETE, ...variables })).toEqual([name]);
  });

  test('says nothing where they are the same, or where the public ones are unset because the build holds them', () => {
    expect(findChangedSinceBuild(built, COMPLETE)).toEqual([]);
    expect(findChangedSinceBuild(built, { ...APP, ...STRIPE, CLERK_SECRET_KEY: 'sk_test_clerk' })).toEqual([]);
  });
});

describe('a server, however it is started', () => {
  const LOCAL = { ...COMPLETE, STRIPE_API_URL: 'http://localhost:3001', NODE_ENV: 'production' };

  /** Starts it with exactly these variables, and returns what it prints; rejects if it ends its process. */
  async function startOn(variables: Variables): Promise<string> {
    configure(variables);
    const { start } = await import('../instrumentation.node');
    vi.spyOn(process, 'once').mockReturnValue(process); // no handler stays behind
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`${vi.mocked(console.error).mock.calls.join('\n')} (${code})`);
    });
    vi.spyOn(console, 'error').mockReturnValue();
    const print = vi.spyOn(console, 'log').mockReturnValue();
    try {
      start();
      return print.mock.calls.join('\n');
    } finally {
      vi.restoreAllMocks();
    }
  }

  test('starts on real keys', async () => {
    const output = await startOn({ ...COMPLETE, NODE_ENV: 'production' });
    expect(output).toContain('Clerk             https://api.clerk.com');
  });

  test('does not serve a public address with a provider on this machine, and serves a local one', async () => {
    const refusal = 'https://app.example.com is public, but these point to this machine: STRIPE_API_URL. Unset';
    await expect(startOn(LOCAL)).rejects.toThrow(refusal);
    await expect(startOn(LOCAL)).rejects.toThrow('(1)');
    expect(await startOn({ ...LOCAL, APP_URL: 'http://localhost:3000' })).toContain(
      'Stripe            http://localhost',
    );
  });
});

test.each([
  ['CLERK_API_URL', 'http://localhost:3001/clerk'],
  ['NEXT_PUBLIC_CLERK_PROXY_URL', 'http://127.0.0.1:3001/clerk'],
  ['NEXT_PUBLIC_CLERK_JS_URL', 'http://localhost:3001/clerk.js'],
  ['NEXT_PUBLIC_CLERK_UI_URL', 'http://localhost:3001/ui.js'],
  ['STRIPE_API_URL', 'http://[::1]:3001'],
])('%s=%s is a provider on this machine', (name, address) => {
  expect(findLocalProviders({ ...COMPLETE, [name]: address })).toEqual([name]);
  expect(findLocalProviders(COMPLETE)).toEqual([]);
});
