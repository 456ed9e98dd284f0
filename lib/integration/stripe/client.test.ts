import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fingerprintOf, isMissing, sharedWrite } from './client';

afterEach(() => {
  vi.unstubAllEnvs();
});

async function clientWith(variables: Record<string, string>) {
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_client');
  vi.stubEnv('STRIPE_WEBHOOK_SECRET', 'whsec_test');
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  return import('./client');
}

describe('STRIPE_API_URL points the SDK elsewhere', () => {
  test.each([
    ['', 'https', 'api.stripe.com', '443'],
    ['http://localhost:4001', 'http', 'localhost', 4001],
    ['http://[::1]:4001', 'http', '::1', 4001],
    ['http://stripe.example', 'http', 'stripe.example', 80],
    ['https://stripe.example', 'https', 'stripe.example', 443],
  ])('%s', async (url, protocol, host, port) => {
    const { stripeClient } = await clientWith({ STRIPE_API_URL: url });
    expect(['protocol', 'host', 'port'].map((field) => stripeClient().getApiField(field as never))).toEqual([
      protocol,
      host,
      port,
    ]);
    expect(stripeClient()).toBe(stripeClient());
  });
});

test('a Stripe that does not respond is given up after 20 s, at its own address and elsewhere', async () => {
  for (const url of ['', 'http://localhost:4001']) {
    const { stripeClient } = await clientWith({ STRIPE_API_URL: url });
    const [timeout, retries] = [stripeClient().getApiField('timeout'), stripeClient().getMaxNetworkRetries()];
    expect(timeout * (1 + retries)).toBe(20_000);
  }
  const { sharedWrite } = await clientWith({});
  const { timeout = 0, maxNetworkRetries = 0 } = sharedWrite('a write');
  expect(timeout * (1 + maxNetworkRetries), 'of a shared write').toBe(20_000);
});

describe('a Stripe webhook is verified before it is read', () => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.refunded', data: { object: {} } }, null, 2);
  const signed = (secret: string, timestamp = Math.floor(Date.now() / 1000)) =>
    Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });

  test('a genuine one yields the event', async () => {
    const { verifyStripeWebhook } = await clientWith({});
    expect(verifyStripeWebhook(body, signed('whsec_test'))).toMatchObject({ id: 'evt_1', type: 'charge.refunded' });
  });

  test.each([
    ['without a signature', body, null],
    ['with the secret of another endpoint', body, signed('whsec_other')],
    ['older than five minutes', body, signed('whsec_test', Math.floor(Date.now() / 1000) - 301)],
    ['parsed and written again', JSON.stringify(JSON.parse(body)), signed('whsec_test')],
  ])('one %s is refused', async (_, text, signature) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { verifyStripeWebhook } = await clientWith({});
    expect(verifyStripeWebhook(text, signature)).toBeNull();
    expect(warn.mock.calls).toEqual([['webhook: a signature was refused endpoint="stripe"']]);
    warn.mockRestore();
  });

  test.each(['t=1,v1', 't=1,v1=', 't', ',', 't=1,v1=%', '\u00e9'])(
    'a signature header that is cut off is refused: %s',
    async (header) => {
      const { verifyStripeWebhook } = await clientWith({});
      expect(verifyStripeWebhook('{}', header)).toBeNull();
    },
  );

  test('a genuine body that is no JSON is an error of ours, not a refusal', async () => {
    const { verifyStripeWebhook } = await clientWith({});
    const header = Stripe.webhooks.generateTestHeaderString({ payload: 'no JSON', secret: 'whsec_test' });
    expect(() => verifyStripeWebhook('no JSON', header)).toThrow(SyntaxError);
  });
});

describe('idempotency keys', () => {
  const keyOf = (...parts: unknown[]) => sharedWrite(...parts).idempotencyKey;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are equal for equal parts, and for these only', () => {
    expect(keyOf('price', { amount: 1900 })).toBe(keyOf('price', { amount: 1900 }));
    expect(keyOf('price', { amount: 1900 })).not.toBe(keyOf('price', { amount: 1901 }));
    expect(keyOf('a', 'b')).not.toBe(keyOf('ab'));
  });

  test('are others a minute later; a fingerprint stays', () => {
    const [key, fingerprint] = [keyOf('price'), fingerprintOf('price')];
    vi.advanceTimersByTime(59_999);
    expect(keyOf('price')).toBe(key);
    vi.advanceTimersByTime(1);
    expect(keyOf('price')).not.toBe(key);
    expect(fingerprintOf('price')).toBe(fingerprint);
  });

  test('show nothing of their parts, and fit into Stripe’s 255 characters', () => {
    expect(keyOf('customer', 'ada@example.com', 'x'.repeat(1000))).toMatch(/^[0-9a-f]{64}$/);
  });
});

test('an object is missing where Stripe says so, and not where it does not respond', () => {
  const { StripeInvalidRequestError, StripeConnectionError } = Stripe.errors;
  const error = (code: string) =>
    new StripeInvalidRequestError({ message: 'No.', type: 'invalid_request_error', code });
  expect(isMissing(error('resource_missing'))).toBe(true);
  expect(isMissing(error('parameter_missing'))).toBe(false);
  expect(isMissing(new StripeConnectionError({ message: 'No.', type: 'api_error', code: 'resource_missing' }))).toBe(
    false,
  );
  expect(isMissing(new Error('resource_missing'))).toBe(false);
});
