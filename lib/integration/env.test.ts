import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** A module of its own, since values are read once. */
async function readEnv(variables: Record<string, string>) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  return import('./env');
}

describe('the variables', () => {
  test('a missing one is named, with where to find it', async () => {
    const { trackingEnv } = await readEnv({ SVC_API_KEY: '' });
    expect(() => trackingEnv()).toThrow(
      "SVC_API_KEY is not set. Where to find it: the tracking service's dashboard, Settings, API keys.",
    );
  });

  test('blank means unset', async () => {
    const { trackingEnv } = await readEnv({ SVC_API_KEY: '  ' });
    expect(() => trackingEnv()).toThrow('SVC_API_KEY is not set');
  });

  test('space around a value, such as the line break of a mounted secret, is no part of it', async () => {
    const { stripeEnv, appEnv } = await readEnv({
      STRIPE_SECRET_KEY: 'sk_test_key\n',
      APP_URL: ' https://a.example\n',
    });
    expect([stripeEnv().STRIPE_SECRET_KEY, appEnv().APP_URL]).toEqual(['sk_test_key', 'https://a.example']);
  });

  test('a key of the wrong kind is named, without its value', async () => {
    const { stripeEnv } = await readEnv({ STRIPE_SECRET_KEY: 'pk_live_public' });
    expect(() => stripeEnv()).toThrow(
      /^STRIPE_SECRET_KEY is malformed \(has to start with sk_ or rk_; this is a publishable key\)/,
    );
    expect(() => stripeEnv()).not.toThrow('pk_live_public');
  });

  test('everything that is wrong is said at once', async () => {
    const wrong = { SVC_API_KEY: '', CLERK_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: 'sk_test_1' };
    const { findEnvProblems } = await readEnv(wrong);
    const messages = findEnvProblems('run').map(({ message }) => message);
    expect(messages.join('\n')).toMatch(
      /SVC_API_KEY is not set[\s\S]*CLERK_SECRET_KEY is not set[\s\S]*STRIPE_WEBHOOK_SECRET is malformed/,
    );
  });

  test('an address loses the slash at its end', async () => {
    const { appEnv, publicEnv } = await readEnv({
      APP_URL: 'https://shop.example/',
      NEXT_PUBLIC_SVC_PROGRAM_ID: '123',
      NEXT_PUBLIC_SVC_BASE_URL: 'https://gateway.example/tracking/',
    });
    expect(appEnv().APP_URL).toBe('https://shop.example');
    expect(publicEnv().NEXT_PUBLIC_SVC_BASE_URL).toBe('https://gateway.example/tracking');
  });

  test.each(['https://user:pw@svc.example', 'https://svc.example/?x=1', 'https://svc.example/#/settings'])(
    'the service is not at %s: the client could append no path',
    async (address) => {
      const variables = { NEXT_PUBLIC_SVC_PROGRAM_ID: '123', NEXT_PUBLIC_SVC_BASE_URL: address };
      expect((await readEnv(variables)).publicEnv).toThrow('has to be a URL without credentials, query and fragment');
    },
  );

  test('a preview keeps its own address, whatever APP_URL says', async () => {
    const { appEnv } = await readEnv({
      APP_URL: 'https://shop.example',
      VERCEL_ENV: 'preview',
      VERCEL_URL: 'x.vercel.app',
    });
    expect(appEnv().APP_URL).toBe('https://x.vercel.app');
  });

  test('IDs and keys of the tracking service are opaque', async () => {
    const { publicEnv, trackingEnv } = await readEnv({
      NEXT_PUBLIC_SVC_PROGRAM_ID: '123',
      NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com',
      SVC_API_KEY: 'any key/form=',
    });
    expect(publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID).toBe('123');
    expect(trackingEnv().SVC_API_KEY).toBe('any key/form=');
  });

  test.each(['svc_sk_…1234', 'svc_sk_1\nsvc_sk_2'])(
    'an API key that no header can hold is malformed: %j',
    async (SVC_API_KEY) => {
      const { trackingEnv } = await readEnv({ SVC_API_KEY });
      expect(() => trackingEnv()).toThrow('SVC_API_KEY is malformed (has to be printable ASCII on one line)');
    },
  );

  test.each(['https://pay.example.com', 'https://pay.example.com, https://pay.example.org', 'http://localhost:4242'])(
    'CHECKOUT_ORIGINS may be %s',
    async (CHECKOUT_ORIGINS) => {
      const { stripeEnv } = await readEnv({ STRIPE_SECRET_KEY: 'sk_test_1', CHECKOUT_ORIGINS });
      expect(stripeEnv().CHECKOUT_ORIGINS).toBe(CHECKOUT_ORIGINS);
    },
  );

  test.each([
    'pay.example.com',
    'http://pay.example.com',
    'http://localhost.example.com',
    'https://pay.example.com/',
    'https://a.example https://b.example',
  ])('CHECKOUT_ORIGINS may not be %s', async (CHECKOUT_ORIGINS) => {
    const { stripeEnv } = await readEnv({ STRIPE_SECRET_KEY: 'sk_test_1', CHECKOUT_ORIGINS });
    expect(() => stripeEnv()).toThrow(/^CHECKOUT_ORIGINS is malformed \(has to be origins such as/);
  });

  test('lists are separated by commas, blanks are ignored', async () => {
    const { splitList } = await readEnv({});
    expect(splitList(' user_1, user_2,, ')).toEqual(['user_1', 'user_2']);
  });
});
