import { expect, test } from 'vitest';
import { findLeaks } from './check-log.mjs';

const env = {
  SVC_API_KEY: 'svc_sk_0123456789',
  CLERK_WEBHOOK_SIGNING_SECRET: 'whsec_0123456789',
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'pk_test_0123456789',
  STRIPE_SECRET_KEY: '',
};

test('a secret and an email address are found, by their line, and not repeated', () => {
  const log = 'ready\nkey svc_sk_0123456789 whsec_0123456789\nlead of ada.lovelace@mail.example.com';
  expect(findLeaks(log, env)).toEqual([
    'line 2: SVC_API_KEY',
    'line 2: CLERK_WEBHOOK_SIGNING_SECRET',
    'line 3: an email address',
  ]);
});

test('what is public, a package with its version, and a blank variable are none', () => {
  expect(findLeaks('pk_test_0123456789 next@16.4.5 @clerk/nextjs@7.9.7 user_1', env)).toEqual([]);
});
