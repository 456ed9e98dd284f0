import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { BLANKS, COMPLETE, keyOf, type Variables } from '@/tests/support/configuration';

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const [own, other] = [newKey(), newKey()];
const pemOf = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }));

afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** What doctor finds where every address has the instance's key, and the addresses that it asks. */
async function examine(variables: Variables) {
  const environment = { ...COMPLETE, ...variables };
  for (const name of Object.keys(BLANKS)) vi.stubEnv(name, environment[name as keyof typeof environment]);
  vi.resetModules();
  const keys = [{ ...own.export({ format: 'jwk' }), kid: 'ins_1' }];
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ keys }));
  const { examineClerk } = await import('./clerk');
  const findings = await examineClerk(() => new Date());
  return { findings, asked: fetch.mock.calls.map(([url]) => String(url)) };
}

describe('CLERK_JWT_KEY', () => {
  const pem = pemOf(own);

  test.each([
    ['as Clerk shows it', pem],
    ['on one line', pem.replaceAll('\n', '')],
    ['with the line breaks of Windows', pem.replaceAll('\n', '\r\n')],
  ])('of the instance is ok, %s', async (_, CLERK_JWT_KEY) => {
    expect((await examine({ CLERK_JWT_KEY })).findings).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
  });

  test.each([
    ['of another instance', pemOf(other).replaceAll('\n', '')],
    ['that is cut short', '-----BEGIN PUBLIC KEY-----MIIB-----END PUBLIC KEY-----'],
  ])('%s is a blocker: every session is refused', async (_, CLERK_JWT_KEY) => {
    const detail = expect.stringContaining('CLERK_JWT_KEY');
    expect((await examine({ CLERK_JWT_KEY })).findings).toMatchObject([{ state: 'ok' }, { state: 'blocker', detail }]);
  });

  test('that is not set is not judged', async () => {
    expect((await examine({})).findings).toMatchObject([{ state: 'ok' }]);
  });
});

describe("the instance's public keys", () => {
  const LIVE = {
    NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: keyOf('clerk.shop.example').replace('test', 'live'),
    CLERK_SECRET_KEY: 'sk_live_clerk',
  };
  const APP_URL = 'https://shop.vercel.app';

  test.each([
    ['the host in the key', { ...LIVE }, 'https://clerk.shop.example'],
    ['the app on *.vercel.app, which the SDK uses there as a proxy', { ...LIVE, APP_URL }, `${APP_URL}/__clerk`],
    ['the host in a test key, also there', { APP_URL }, 'https://happy-cat-1.clerk.accounts.dev'],
    [
      'the proxy that a variable names, also there',
      { ...LIVE, APP_URL, NEXT_PUBLIC_CLERK_PROXY_URL: '/clerk' },
      `${APP_URL}/clerk`,
    ],
  ])('come from %s', async (_, variables, address) => {
    const { findings, asked } = await examine(variables);
    expect(findings).toMatchObject([{ state: 'ok' }]);
    expect(asked).toContain(`${address}/.well-known/jwks.json`);
  });
});
