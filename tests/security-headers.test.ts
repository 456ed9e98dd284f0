import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy, securityHeaders } from '../security-headers.mjs';

const keyOf = (text: string) => Buffer.from(text).toString('base64');
const NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY = `pk_test_${keyOf('happy-cat-1.clerk.accounts.dev$')}`;

/** The sources of one directive. */
function sourcesOf(name: string, env: Record<string, string>, isDevelopment = false): string[] {
  const directives = contentSecurityPolicy(env, { isDevelopment }).split('; ');
  return (
    directives
      .find((directive) => directive.startsWith(`${name} `))
      ?.split(' ')
      .slice(1) ?? []
  );
}

describe("Clerk's cloud", () => {
  const env = { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY };

  test('its host is taken from the publishable key', () => {
    expect(sourcesOf('script-src', env)).toContain('https://happy-cat-1.clerk.accounts.dev');
    expect(sourcesOf('connect-src', env)).toContain('https://happy-cat-1.clerk.accounts.dev');
  });

  test('forms may redirect to it: it checks a session on its own host', () => {
    expect(sourcesOf('form-action', env)).toContain('https://happy-cat-1.clerk.accounts.dev');
  });

  test('its protection, captcha and avatars may load', () => {
    for (const directive of ['script-src', 'frame-src']) {
      expect(sourcesOf(directive, env)).toContain('https://*.protect.clerk.com');
      expect(sourcesOf(directive, env)).toContain('https://challenges.cloudflare.com');
    }
    expect(sourcesOf('connect-src', env)).toContain('https://*.protect.clerk.com:*');
    expect(sourcesOf('img-src', env)).toContain('https://img.clerk.com');
  });

  test("every host of Clerk's that its SDK's own policy names is in ours", async () => {
    const file = '../node_modules/@clerk/nextjs/dist/esm/server/content-security-policy.js';
    const { createContentSecurityPolicyHeaders } = await import(/* @vite-ignore */ file);
    const { headers } = createContentSecurityPolicyHeaders('happy-cat-1.clerk.accounts.dev', {});
    const policy = String(headers.find(([name]: [string]) => /^content-security-policy$/i.test(name))?.[1]);
    const needed = policy.split(';').flatMap((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ');
      // images.clerkstage.dev is Clerk's own staging, and newer versions of the SDK no longer name it.
      return sources
        .filter((source) => /clerk|cloudflare/.test(source) && !/clerkstage|happy-cat/.test(source))
        .map((source) => ({ name, source }));
    });
    expect(needed.length).toBeGreaterThan(5);
    expect(needed.filter(({ name, source }) => !sourcesOf(name, env).includes(source))).toEqual([]);
  });

  test('telemetry may be sent unless it is switched off', () => {
    expect(sourcesOf('connect-src', env)).toContain('https://clerk-telemetry.com');
    const off = { ...env, NEXT_PUBLIC_CLERK_TELEMETRY_DISABLED: '1' };
    expect(sourcesOf('connect-src', off)).not.toContain('https://clerk-telemetry.com');
  });

  test.each([
    'happy-cat-1.clerk.accounts.dev',
    'pk_test_',
    `pk_test_${keyOf('nohost$')}`,
    `pk_live_${keyOf("a.example.com; script-src 'unsafe-eval'$")}`,
    `pk_live_${keyOf('a.example.com https://evil.example$')}`,
  ])('a publishable key without a host is refused: %s', (key) => {
    const policy = () => contentSecurityPolicy({ NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: key }, { isDevelopment: false });
    expect(policy).toThrow('NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is malformed');
  });
});

describe('Clerk at an address of your own', () => {
  const env = {
    NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY,
    NEXT_PUBLIC_CLERK_PROXY_URL: 'http://localhost:3001/clerk',
    NEXT_PUBLIC_CLERK_JS_URL: 'http://localhost:3001/clerk/npm/clerk.browser.js',
  };

  test('only that origin may be used', () => {
    for (const directive of ['script-src', 'connect-src', 'img-src', 'form-action']) {
      expect(sourcesOf(directive, env)).toContain('http://localhost:3001');
    }
    expect(contentSecurityPolicy(env, { isDevelopment: false })).not.toMatch(/clerk\.|cloudflare/);
  });

  test.each([
    ['/__clerk', "'self'"],
    ['https://app.example.com/__clerk', 'https://app.example.com'],
  ])(
    "a proxy of Clerk's Frontend API takes its place; its captcha and avatars keep their hosts: %s",
    (proxy, source) => {
      const proxied = { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY, NEXT_PUBLIC_CLERK_PROXY_URL: proxy };
      expect(sourcesOf('connect-src', proxied)).toContain(source);
      expect(sourcesOf('form-action', proxied)).toContain(source);
      expect(sourcesOf('connect-src', proxied)).not.toContain('https://happy-cat-1.clerk.accounts.dev');
      expect(sourcesOf('frame-src', proxied)).toContain('https://challenges.cloudflare.com');
      expect(sourcesOf('img-src', proxied)).toContain('https://img.clerk.com');
    },
  );
});

describe('the hosted checkout page', () => {
  test("is Stripe's unless its API has another address", () => {
    for (const own of [
      {},
      { STRIPE_API_URL: 'https://api.stripe.com' },
      { STRIPE_API_URL: 'https://api.stripe.com/' },
    ]) {
      expect(sourcesOf('form-action', own)).toEqual([
        "'self'",
        'https://checkout.stripe.com',
        'https://billing.stripe.com',
      ]);
    }
    const env = { STRIPE_API_URL: 'http://localhost:3001/' };
    expect(sourcesOf('form-action', env)).toEqual(["'self'", 'http://localhost:3001']);
  });

  test('may have custom domains', () => {
    const env = { CHECKOUT_ORIGINS: 'https://pay.example.com, https://pay.example.org/' };
    expect(sourcesOf('form-action', env)).toEqual(
      expect.arrayContaining(['https://checkout.stripe.com', 'https://pay.example.com', 'https://pay.example.org']),
    );
  });
});

test('a tracking service elsewhere may be called, and nothing else of its path', () => {
  const env = { NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com/base' };
  expect(sourcesOf('connect-src', env)).toEqual(["'self'", 'https://svc.example.com']);
});

test('evaluated code is allowed in development only', () => {
  expect(sourcesOf('script-src', {})).not.toContain("'unsafe-eval'");
  expect(sourcesOf('script-src', {}, true)).toContain("'unsafe-eval'");
});

test.each([
  [true, undefined],
  [false, 'max-age=31536000'],
])(
  'https is required from the first visit on, whatever the build knows of its address; in development (%j) it is not',
  (isDevelopment, value) => {
    const headers = securityHeaders({}, { isDevelopment });
    expect(headers.find(({ key }) => key === 'Strict-Transport-Security')?.value).toBe(value);
  },
);

test('no browser guesses a type, and no other site gets more than the origin of a page', () => {
  const headers = Object.fromEntries(
    securityHeaders({}, { isDevelopment: false }).map(({ key, value }) => [key, value]),
  );
  expect(headers).toMatchObject({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  });
});
