import { unstable_doesMiddlewareMatch as doesMatch } from 'next/experimental/testing/server';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { BLANKS, COMPLETE } from './support/configuration';

// Clerk's code needs a request around it: the matcher and the options are asked alone.
vi.doMock('@clerk/nextjs/server', () => ({ clerkMiddleware: (_: unknown, options: () => object) => options }));
vi.resetModules();
const { config } = await import('@/proxy');
const matches = (url: string) => doesMatch({ config, nextConfig: {}, url });

afterEach(() => vi.unstubAllEnvs());
afterAll(() => {
  vi.doUnmock('@clerk/nextjs/server');
  vi.resetModules();
});

/** What Clerk verifies a session token with. */
async function optionsWith(variables: Record<string, string>) {
  for (const [name, value] of Object.entries({ ...BLANKS, ...COMPLETE, ...variables })) vi.stubEnv(name, value);
  vi.resetModules();
  const options = (await import('@/proxy')).default as unknown as () => Record<string, unknown>;
  return options();
}

test("a session token counts only if it was issued for this app's own address", async () => {
  const { authorizedParties } = await optionsWith({ APP_URL: 'https://shop.example/' });
  expect(authorizedParties).toEqual(['https://shop.example']);
});

const KEY = '-----BEGIN PUBLIC KEY-----MIIB-----END PUBLIC KEY-----';

test('CLERK_JWT_KEY verifies session tokens, where it is set', async () => {
  expect(await optionsWith({ CLERK_JWT_KEY: KEY })).toMatchObject({ jwtKey: KEY });
  expect(await optionsWith({})).not.toHaveProperty('jwtKey');
});

describe('proxy.ts runs where a page or handler asks who is signed in, and nowhere else', () => {
  test.each([
    '/account',
    '/welcome',
    '/checkout',
    '/checkout/success',
    '/operator', // part: demo
    '/api/checkout',
    '/api/bank-transfer', // part: demo
    '/api/billing',
  ])('%s is matched', (url) => {
    expect(matches(url)).toBe(true);
  });

  test.each([
    '/api/webhooks/clerk',
    '/api/webhooks/stripe',
    '/api/cron/outbox',
    // part: service
    '/api/v1/track/click',
    '/api/v1/track/lead',
    '/api/v1/track/sale',
    '/api/v1/webhooks/stripe',
    '/dashboard',
    // end: service
    '/pricing',
    '/',
  ])('%s works the same without it', (url) => {
    expect(matches(url)).toBe(false);
  });
});
