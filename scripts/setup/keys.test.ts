import { describe, expect, test } from 'vitest';
import { findKeyProblems, type Keys } from './keys';

const publishable = (mode: string) => `pk_${mode}_${Buffer.from('happy-cat-1.clerk.accounts.dev$').toString('base64')}`;
const TEST: Keys = { publishableKey: publishable('test'), clerkSecretKey: 'sk_test_a', stripeSecretKey: 'sk_test_b' };
const LIVE: Keys = { publishableKey: publishable('live'), clerkSecretKey: 'sk_live_a', stripeSecretKey: 'rk_live_b' };

const problems = (changes: Partial<Keys>, isLiveAllowed = false) =>
  findKeyProblems({ ...TEST, ...changes }, { isLiveAllowed });

test('three test keys are accepted, a restricted key of Stripe included', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ stripeSecretKey: 'rk_test_b' })).toEqual([]);
});

test.each([
  ['publishableKey', 'pk_test_foo', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is malformed (has no host'],
  ['publishableKey', 'sk_test_a', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is malformed (has to be pk_test_… or pk_live_…)'],
  ['clerkSecretKey', '', 'CLERK_SECRET_KEY has spaces or characters that no key has'],
  ['clerkSecretKey', 'sk_test_a b', 'CLERK_SECRET_KEY has spaces'],
  ['clerkSecretKey', 'sk_test_', 'CLERK_SECRET_KEY has only its prefix'],
  ['clerkSecretKey', 'whsec_abc', 'CLERK_SECRET_KEY is a webhook signing secret'],
  ['stripeSecretKey', 'pk_test_a', 'STRIPE_SECRET_KEY is malformed (has to be sk_test_… or sk_live_…, or rk_test_…'],
  ['stripeSecretKey', 'sk_1', 'STRIPE_SECRET_KEY is malformed'],
] as const)('%s "%s" is refused with its variable and its place', (name, value, text) => {
  const [problem = ''] = problems({ [name]: value });
  expect(problem).toContain(text);
  expect(problem).toMatch(/(Clerk|Stripe) dashboard/);
});

test('no message repeats a secret', () => {
  expect(problems({ clerkSecretKey: 'sk_secret_value' }).join()).not.toContain('sk_secret_value');
});

describe('the mode', () => {
  test('live keys are refused unless they are allowed', () => {
    expect(problems(LIVE)).toEqual([expect.stringContaining('--live')]);
    expect(problems(LIVE, true)).toEqual([]);
  });

  test('keys of both modes are refused, also where live ones are allowed', () => {
    expect(problems({ stripeSecretKey: LIVE.stripeSecretKey }, true)).toEqual([
      'STRIPE_SECRET_KEY in live mode, NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY and CLERK_SECRET_KEY in test mode: use one mode for all three.',
    ]);
  });
});
