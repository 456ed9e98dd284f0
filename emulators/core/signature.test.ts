import { expect, test } from 'vitest';
import { checkSignature, type Provider, signDelivery } from './signature';

const body = '{"type":"user.created"}';
const CLERK = `whsec_${Buffer.from('clerk-secret-of-24-bytes').toString('base64')}`;
const secrets = { OTHER_SECRET: 'whsec_other', CLERK_SECRET: CLERK, STRIPE_SECRET: 'whsec_stripe' };
const signed = (provider: Provider, secret: string, at = new Date()) =>
  signDelivery({ provider, eventId: 'evt_1', body, secret }, at);

test.each([
  ['clerk', 'svix', CLERK, 'CLERK_SECRET'],
  ['stripe', 'stripe', 'whsec_stripe', 'STRIPE_SECRET'],
] as const)(
  'a webhook of %s is verified by one secret, which is named and not shown',
  (provider, scheme, secret, name) => {
    const check = checkSignature({ headers: signed(provider, secret), body }, secrets);
    expect(check).toEqual({ scheme, secret: name });
  },
);

test.each(['clerk', 'stripe'] as const)('an altered webhook of %s is verified by none', (provider) => {
  const headers = signed(provider, provider === 'clerk' ? CLERK : 'whsec_stripe');
  expect(checkSignature({ headers, body: `${body} ` }, secrets)?.secret).toBeNull();
});

test.each([
  ['clerk', 'svix', CLERK, 'CLERK_SECRET'],
  ['stripe', 'stripe', 'whsec_stripe', 'STRIPE_SECRET'],
] as const)('a webhook of %s that is sent again later is signed, but outdated', (provider, scheme, secret, name) => {
  const headers = signed(provider, secret, new Date(Date.now() - 3_600_000));
  expect(checkSignature({ headers, body }, secrets)).toEqual({ scheme, secret: name, isOutdated: true });
  expect(checkSignature({ headers, body: `${body} ` }, secrets)).toEqual({ scheme, secret: null });
});

test('a request without a signature has nothing to check', () => {
  expect(checkSignature({ headers: { accept: '*/*' }, body }, secrets)).toBeNull();
});
