import { describe, expect, test } from 'vitest';
import {
  findContradictions,
  findWarnings,
  hostInPublishableKey,
  isLocal,
  kindOf,
  modeOf,
  previewAddress,
  renameHint,
} from './env-rules';

const keyOf = (host: string, mode = 'test') => `pk_${mode}_${Buffer.from(`${host}$`).toString('base64')}`;
const messagesOf = (problems: Array<{ message: string }>) => problems.map(({ message }) => message);
const variablesOf = (problems: Array<{ variable: string }>) => problems.map(({ variable }) => variable);

const test_ = { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: keyOf('a.clerk.dev'), CLERK_SECRET_KEY: 'sk_test_c' };
const live = { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: keyOf('clerk.a.com', 'live'), CLERK_SECRET_KEY: 'sk_live_c' };

describe('the modes of the keys', () => {
  test.each([
    ['test keys of both', { ...test_, STRIPE_SECRET_KEY: 'sk_test_s' }],
    ['live keys of both', { ...live, STRIPE_SECRET_KEY: 'sk_live_s' }],
    ['live keys of Clerk, a test key of Stripe', { ...live, STRIPE_SECRET_KEY: 'sk_test_s' }],
    ['a restricted key of the same mode', { ...live, STRIPE_SECRET_KEY: 'rk_live_s' }],
    ['only Clerk', test_],
    ['one key of Clerk', { CLERK_SECRET_KEY: 'sk_live_c' }],
    ['the other key of Clerk', { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: test_.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY }],
    ['neither', {}],
  ])('%s go together', (_, env) => {
    expect(findContradictions(env)).toEqual([]);
  });

  test.each([
    ['sk_live_s', 'a secret key'],
    ['rk_live_s', 'a restricted key'],
  ])('live Stripe with test Clerk is refused: %s', (STRIPE_SECRET_KEY) => {
    const [problem] = findContradictions({ ...test_, STRIPE_SECRET_KEY });
    expect(problem?.message).toMatch(
      /^STRIPE_SECRET_KEY is a live key, .* Use an sk_test_ key of Stripe, or live keys of Clerk\.$/,
    );
  });

  test('live Stripe with a Clerk on this machine is refused', () => {
    const env = { ...live, CLERK_API_URL: 'http://localhost:3001/clerk', STRIPE_SECRET_KEY: 'sk_live_s' };
    expect(variablesOf(findContradictions(env))).toEqual(['STRIPE_SECRET_KEY']);
  });

  test("Clerk's two keys of two modes are refused", () => {
    const [problem] = findContradictions({ ...test_, CLERK_SECRET_KEY: 'sk_live_c' });
    expect(problem?.message).toMatch(
      /^CLERK_SECRET_KEY is a live key, and NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is a test key\. .* Clerk dashboard, API keys\.$/,
    );
  });
});

describe('secrets', () => {
  test('one value in two variables is refused', () => {
    const env = { CLERK_SECRET_KEY: 'sk_test_1', STRIPE_SECRET_KEY: 'sk_test_1' };
    expect(findContradictions(env)[0]?.message).toMatch(/^STRIPE_SECRET_KEY has the value of CLERK_SECRET_KEY/);
    const scheduled = { SVC_API_KEY: 'sixteen-or-longer', CRON_SECRET: 'sixteen-or-longer' };
    expect(variablesOf(findContradictions(scheduled))).toEqual(['CRON_SECRET']);
    const signing = { CLERK_WEBHOOK_SIGNING_SECRET: 'whsec_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
    expect(variablesOf(findContradictions(signing))).toEqual(['STRIPE_WEBHOOK_SECRET']);
    expect(findContradictions({ CLERK_SECRET_KEY: ' ', STRIPE_SECRET_KEY: ' ' })).toEqual([]);
  });

  test("Stripe's two signing secrets may be equal on your machine, as `stripe listen` has one; deployed that is a warning", () => {
    const secret = `whsec_${'1'.repeat(32)}`;
    const equal = { CRON_SECRET: 'x', STRIPE_WEBHOOK_SECRET: secret, SVC_STRIPE_WEBHOOK_SECRET: secret };
    expect(findContradictions(equal)).toEqual([]);
    expect(findWarnings({ ...equal, APP_URL: 'http://localhost:3000' })).toEqual([]);
    expect(findWarnings({ ...equal, STRIPE_WEBHOOK_SECRET: `${secret}2`, APP_URL: 'https://a.com' })).toEqual([]);
    expect(findWarnings({ ...equal, APP_URL: 'https://a.com' })).toEqual([
      {
        variable: 'SVC_STRIPE_WEBHOOK_SECRET',
        message: expect.stringMatching(
          /has the value of STRIPE_WEBHOOK_SECRET\. .* copy that of \/api\/v1\/webhooks\/stripe/,
        ),
      },
    ]);
  });

  test.each([
    { NEXT_PUBLIC_STRIPE_SECRET_KEY: 'sk_test_1' },
    { NEXT_PUBLIC_HOOK: 'whsec_1' },
    { NEXT_PUBLIC_SVC_KEY: 'any key/form=', SVC_API_KEY: ' any key/form=\n' },
    { NEXT_PUBLIC_CRON_SECRET: 'sixteen-or-longer', CRON_SECRET: 'sixteen-or-longer' },
    { NEXT_PUBLIC_DATABASE_URL: 'postgresql://u:p@db/shop', DATABASE_URL: 'postgresql://u:p@db/shop' },
  ])('a NEXT_PUBLIC_ variable that holds one is refused, without its value: %o', (env) => {
    const [problem] = findContradictions(env);
    expect(problem?.message).toMatch(/every visitor can read NEXT_PUBLIC_ variables\. .* if it was ever deployed\.$/);
    for (const value of Object.values(env)) expect(problem?.message).not.toContain(value);
  });

  test.each(['STRIPE_WEBHOOK_SECRET', 'SVC_STRIPE_WEBHOOK_SECRET'])(
    'a deployment with a placeholder as %s is refused',
    (name) => {
      const deployed = { APP_URL: 'https://a.com', [name]: 'whsec_test' };
      expect(findContradictions(deployed)[0]?.message).toMatch(
        new RegExp(`^${name} is shorter than any Stripe signing secret`),
      );
      expect(findContradictions({ ...deployed, [name]: `whsec_${'a'.repeat(23)}` })).toHaveLength(1);
      expect(findContradictions({ ...deployed, [name]: `whsec_${'a'.repeat(24)}` })).toEqual([]);
      for (const malformed of ['my whsec_a', 'whsec_', 'whsec_a b']) {
        expect(findContradictions({ ...deployed, [name]: malformed })).toEqual([]);
      }
      for (const APP_URL of ['http://localhost:3000', undefined]) {
        expect(findContradictions({ ...deployed, APP_URL })).toEqual([]);
      }
    },
  );

  test('publishable values are not secrets', () => {
    const env = { NEXT_PUBLIC_SVC_PROGRAM_ID: '123', SVC_API_KEY: 'k', NEXT_PUBLIC_DEFAULT_LOCALE: 'sk_SK' };
    const lookAlikes = {
      NEXT_PUBLIC_DESK: 'desk_test_1',
      NEXT_PUBLIC_NONE: undefined,
      NEXT_PUBLIC_EMPTY: '',
      CRON_SECRET: '',
    };
    expect(findContradictions({ ...test_, ...env, ...lookAlikes })).toEqual([]);
  });
});

describe('warnings', () => {
  const remote = { NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com' };

  test('no CRON_SECRET means no reconciliation, and that is said', () => {
    expect(findWarnings(remote)[0]?.message).toMatch(/^CRON_SECRET is not set: nothing can call \/api\/cron/);
    expect(findWarnings({ ...remote, CRON_SECRET: 'x' })).toEqual([]);
    const [blank] = findWarnings({ ...remote, CRON_SECRET: ' ', CRON_KEY: 'x' });
    expect(blank?.message).toMatch(
      / CRON_KEY is set: rename it to CRON_SECRET\. Generate one: openssl rand -hex 32\.$/,
    );
  });

  test('without the address of the service, clicks go to an app that has none of its own', () => {
    const [warning, ...others] = findWarnings({ CRON_SECRET: 'x', SVC_BASE_URL: 'https://svc.example.com' });
    expect(warning?.message).toMatch(/^NEXT_PUBLIC_SVC_BASE_URL is not set: .* SVC_BASE_URL is set: rename it/);
    expect(others).toEqual([]);
    expect(findWarnings({ CRON_SECRET: 'x', SVC_STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toEqual([]);
  });

  test('a public address with test cards for real users, and one without https', () => {
    const env = { ...remote, ...live, CRON_SECRET: 'x', STRIPE_SECRET_KEY: 'sk_test_s' };
    expect(messagesOf(findWarnings({ ...env, APP_URL: 'https://a.com' }))).toEqual([
      expect.stringMatching(/^STRIPE_SECRET_KEY is a test key, and Clerk has live keys/),
    ]);
    expect(findWarnings({ ...env, APP_URL: 'http://localhost:3000' })).toEqual([]);
    for (const modes of [{ STRIPE_SECRET_KEY: 'sk_live_s' }, test_]) {
      expect(findWarnings({ ...env, ...modes, APP_URL: 'https://a.com' })).toEqual([]);
    }
    expect(messagesOf(findWarnings({ ...remote, CRON_SECRET: 'x', APP_URL: 'http://a.com' }))).toEqual([
      expect.stringMatching(/^APP_URL is public without https/),
    ]);
  });

  test.each(['NEXT_PUBLIC_SVC_BASE_URL', 'CLERK_API_URL', 'STRIPE_API_URL'])('%s without https', (variable) => {
    const found = (url: string) => messagesOf(findWarnings({ ...remote, CRON_SECRET: 'x', [variable]: url }));
    expect(found('http://svc.example.com')).toEqual([
      expect.stringMatching(`^${variable} is another machine without https`),
    ]);
    expect([...found('https://svc.example.com'), ...found('http://localhost:3001')]).toEqual([]);
  });

  test.each([
    ['postgresql://u:secret@db.example.com/shop', {}, true],
    ['postgresql://u:secret@db:5432/shop?connect_timeout=5', {}, true],
    ['postgresql://u:secret@db.example.com/shop?sslmode=verify-full', {}, false],
    ['postgresql://u:secret@db:5432/shop?connect_timeout=5&sslmode=disable', {}, false],
    ['postgresql://u:secret@db.example.com/shop', { PGSSLMODE: 'verify-full' }, false],
    ['postgresql://u:secret@localhost/shop', {}, false],
    ['postgresql:///shop?host=/var/run/postgresql', {}, false],
    ['postgresql://u:secret@%2Fvar%2Frun%2Fpostgresql/shop', {}, false],
  ])('whether %s is reached without encryption, with %o: %s', (DATABASE_URL, env, isWarned) => {
    const found = findWarnings({ ...remote, CRON_SECRET: 'x', DATABASE_URL, ...env });
    expect(messagesOf(found)).toEqual(isWarned ? [expect.stringMatching(/^DATABASE_URL has no sslmode/)] : []);
    expect(messagesOf(found).join()).not.toContain('secret');
  });
});

test.each([
  ['STRIPE_SECRET_KEY', 'STRIPE_KEY'],
  ['NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY', 'CLERK_PUBLISHABLE_KEY'],
  ['CLERK_WEBHOOK_SIGNING_SECRET', 'CLERK_WEBHOOK_SECRET'],
  ['DATABASE_URL', 'POSTGRES_URL'],
])('%s under the name %s gets a hint', (variable, misnomer) => {
  expect(renameHint(variable, { [misnomer]: 'x' })).toBe(` ${misnomer} is set: rename it to ${variable}.`);
  expect(renameHint(variable, { [misnomer]: ' ', OTHER: 'x' })).toBe('');
  expect(renameHint('OTHER', { [misnomer]: 'x' })).toBe('');
  expect(renameHint(variable, { [misnomer]: 'x', [variable]: 'malformed' }), 'both are set').toBe('');
});

test('the host of a Clerk instance is read from its publishable key', () => {
  expect(hostInPublishableKey(keyOf('happy-cat-1.clerk.accounts.dev'))).toBe('happy-cat-1.clerk.accounts.dev');
  const hosts = ['nohost', "a.com; script-src 'x'", 'https://a.com', 'a.com$x'].map((host) => keyOf(host));
  for (const key of [
    'pk_test_foo',
    'pk_test_',
    ...hosts,
    'sk_test_YS5iJA==',
    'a pk_test_YS5iJA==',
    'pk_test_YS5iJA==;',
  ]) {
    expect(hostInPublishableKey(key)).toBeNull();
  }
});

test.each([
  [
    { VERCEL_ENV: 'preview', VERCEL_BRANCH_URL: 'a-git-b.vercel.app', VERCEL_URL: 'x.vercel.app' },
    'https://a-git-b.vercel.app',
  ],
  [{ VERCEL_ENV: 'preview', VERCEL_URL: 'x.vercel.app' }, 'https://x.vercel.app'],
  [{ VERCEL_ENV: 'preview', VERCEL_TARGET_ENV: 'preview', VERCEL_URL: 'x.vercel.app' }, 'https://x.vercel.app'],
  [{ VERCEL_ENV: 'preview', VERCEL_TARGET_ENV: 'staging', VERCEL_URL: 'x.vercel.app' }, null],
  [{ IS_PULL_REQUEST: 'true', RENDER_EXTERNAL_URL: 'https://pr-1.onrender.com' }, 'https://pr-1.onrender.com'],
  [{ VERCEL_ENV: 'production', VERCEL_URL: 'x.vercel.app' }, null],
  [{ IS_PULL_REQUEST: 'false', RENDER_EXTERNAL_URL: 'https://a.onrender.com' }, null],
  [{ APP_URL: 'https://app.example.com' }, null],
])('the address of a preview, and none in production: %o', (env, address) => {
  expect(previewAddress(env)).toBe(address);
});

test.each([
  ['pk_live_k', 'a publishable key', 'live'],
  ['sk_test_k', 'a secret key', 'test'],
  ['rk_test_k', 'a restricted key', 'test'],
  ['whsec_k', 'a signing secret', null],
  ['my_sk_test_k', null, null],
  ['sk_other_k', 'a secret key', null],
])('%s is %s, of the mode %s', (value, kind, mode) => {
  expect([kindOf(value), modeOf(value)]).toEqual([kind, mode]);
});

test('an address of this machine is local, and one that only looks like it is not', () => {
  const local = [
    'http://localhost:3000',
    'https://localhost',
    'http://127.0.0.1:3000',
    'http://127.0.0.11',
    'http://[::1]/a',
  ];
  const remote = [
    'https://localhost.a.com',
    'https://a.localhost',
    'https://127.0.0.1.a.com',
    'localhost',
    '',
    undefined,
  ];
  expect([...local, ...remote].filter(isLocal)).toEqual(local);
});
