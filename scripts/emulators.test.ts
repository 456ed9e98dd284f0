import { describe, expect, test, vi } from 'vitest';
import { decideEmulated, decideTraced, needsEmulators, tracedAddresses, usableVariables } from './emulators.mjs';

const REAL = {
  clerk: { CLERK_SECRET_KEY: 'sk_test_yours', NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'pk_test_yours' },
  stripe: { STRIPE_SECRET_KEY: 'sk_test_yours' },
};
const LIVE = { CLERK_SECRET_KEY: 'sk_live_yours', STRIPE_SECRET_KEY: 'sk_live_yours' };
const generated = {
  CLERK_SECRET_KEY: 'sk_live_generated',
  CLERK_API_URL: 'http://localhost:3001/clerk',
  NEXT_PUBLIC_CLERK_PROXY_URL: 'http://localhost:3001/clerk',
  STRIPE_SECRET_KEY: 'sk_test_generated',
  STRIPE_API_URL: 'http://localhost:3001',
  SVC_STRIPE_WEBHOOK_SECRET: 'whsec_generated',
  SVC_API_KEY: 'svc_sk_generated',
  APP_URL: 'http://localhost:3000',
};

describe('a provider is emulated while it has no key of yours', () => {
  test('both, where neither has one', () => {
    expect(decideEmulated({})).toEqual({ clerk: true, stripe: true });
  });

  test.each(Object.keys(REAL.clerk))('Clerk is not, where %s is set', (name) => {
    expect(decideEmulated({ [name]: 'yours' })).toEqual({ clerk: false, stripe: true });
  });

  test('with live keys of both, no emulator is needed', () => {
    expect(needsEmulators(LIVE)).toBe(false);
    expect(needsEmulators({ ...LIVE, STRIPE_SECRET_KEY: undefined })).toBe(true);
  });
});

describe('calls to a provider with test keys of yours are traced', () => {
  const both = { ...REAL.clerk, ...REAL.stripe };

  test('they pass through this machine, and are forwarded to the provider', () => {
    expect(needsEmulators(both)).toBe(true);
    expect(decideTraced(both)).toEqual({ clerk: 'https://api.clerk.com', stripe: 'https://api.stripe.com' });
    expect(tracedAddresses(both, 3001)).toEqual({
      CLERK_API_URL: 'http://localhost:3001/clerk',
      STRIPE_API_URL: 'http://localhost:3001',
      CHECKOUT_ORIGINS: 'https://checkout.stripe.com,https://billing.stripe.com',
    });
  });

  test('a form still leads to the pages of Checkout, on your own domain or of a Stripe at an address of yours', () => {
    const custom = { ...REAL.stripe, CHECKOUT_ORIGINS: 'https://pay.example.com' };
    expect(tracedAddresses(custom, 3001).CHECKOUT_ORIGINS).toMatch(
      /^https:\/\/checkout\..*,https:\/\/pay\.example\.com$/,
    );
    const elsewhere = { ...REAL.stripe, STRIPE_API_URL: 'http://localhost:4242' };
    expect(decideTraced(elsewhere)).toEqual({ stripe: 'http://localhost:4242' });
    expect(tracedAddresses(elsewhere, 3001).CHECKOUT_ORIGINS).toBe('http://localhost:4242');
  });

  test.each([
    ['a live key', LIVE],
    ['no key', {}],
    ['an address that others can open', { ...both, APP_URL: 'https://tunnel.example.com' }],
  ])('with %s they are not', (_, env) => {
    expect(decideTraced(env)).toEqual({});
    expect(tracedAddresses(env, 3001)).toEqual({});
  });

  test('with --no-trace the addresses stay as they are, and no process is needed', async () => {
    vi.stubGlobal('process', Object.assign(Object.create(process), { argv: [...process.argv, '--no-trace'] }));
    vi.resetModules();
    const without = await import('./emulators.mjs');
    vi.unstubAllGlobals();
    expect(without.decideTraced(both)).toEqual({});
    expect(without.tracedAddresses(both, 3001)).toEqual({});
    expect(without.needsEmulators(both)).toBe(false);
  });
});

describe('what an earlier run has generated', () => {
  test('is used whole while both providers are emulated', () => {
    expect(usableVariables({}, generated)).toEqual(generated);
  });

  test('never sends a key of yours to this machine: no address or secret of that provider is used', () => {
    const names = Object.keys(usableVariables(REAL.stripe, generated));
    expect(names).toEqual([
      'CLERK_SECRET_KEY',
      'CLERK_API_URL',
      'NEXT_PUBLIC_CLERK_PROXY_URL',
      'SVC_API_KEY',
      'APP_URL',
    ]);
    expect(Object.keys(usableVariables({ ...REAL.stripe, ...REAL.clerk }, generated))).toEqual([
      'SVC_API_KEY',
      'APP_URL',
    ]);
  });
});
