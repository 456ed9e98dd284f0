import { describe, expect, test } from 'vitest';
import { decideEmulated, needsEmulators, usableVariables } from './emulators.mjs';

const REAL = {
  clerk: { CLERK_SECRET_KEY: 'sk_test_yours', NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'pk_test_yours' },
  stripe: { STRIPE_SECRET_KEY: 'sk_test_yours' },
};
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

  test('with keys of both, no emulator is needed', () => {
    expect(needsEmulators({ ...REAL.clerk, ...REAL.stripe })).toBe(false);
    expect(needsEmulators(REAL.clerk)).toBe(true);
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
