import { expect, test } from 'vitest';
import { contentSecurityPolicy } from '../security-headers.mjs';

const realKey = `pk_test_${Buffer.from('happy-cat-1.clerk.accounts.dev$').toString('base64')}`;
const sandboxed = { sandbox: { clerk: true, stripe: true }, isDevelopment: false };
const real = { sandbox: { clerk: false, stripe: false }, isDevelopment: false };

test('on the sandboxes the policy names no host at all', () => {
  expect(contentSecurityPolicy({}, sandboxed)).not.toMatch(/https?:/);
});

test("with real keys it names Clerk's host, taken from the publishable key, and Stripe's pages", () => {
  const policy = contentSecurityPolicy({ NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: realKey }, real);
  expect(policy).toContain("script-src 'self' 'unsafe-inline' https://happy-cat-1.clerk.accounts.dev");
  expect(policy).toContain('https://checkout.stripe.com');
});

test('a tracking service elsewhere may be called, and nothing else of its path', () => {
  const env = { NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com/base' };
  expect(contentSecurityPolicy(env, sandboxed)).toContain("connect-src 'self' https://svc.example.com;");
});

test('evaluated code is allowed in development only', () => {
  expect(contentSecurityPolicy({}, sandboxed)).not.toContain('unsafe-eval');
  expect(contentSecurityPolicy({}, { ...sandboxed, isDevelopment: true })).toContain('unsafe-eval');
});
