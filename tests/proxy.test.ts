import { unstable_doesMiddlewareMatch as doesMatch } from 'next/experimental/testing/server';
import { describe, expect, test, vi } from 'vitest';

// Only the matcher is asked; Clerk's code needs a request around it.
vi.mock('@clerk/nextjs/server', () => ({ clerkMiddleware: () => () => {} }));
const { config } = await import('@/proxy');
const matches = (url: string) => doesMatch({ config, nextConfig: {}, url });

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
