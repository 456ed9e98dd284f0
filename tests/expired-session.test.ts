// What the forms of static pages answer to other sites and without a session. Clerk tokens live 60 s and static pages do not
// refresh them, so a POST may come from a customer whose token has expired, and Clerk cannot renew it during a POST: a page (GET)
// has to.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

vi.mock('@clerk/nextjs/server', () => ({ auth: async () => ({ userId: null }), currentUser: async () => null }));

const APP_URL = 'https://shop.example';
beforeAll(() => {
  vi.resetModules(); // the handlers of other files have the real session
  vi.stubEnv('APP_URL', APP_URL);
});
afterAll(() => {
  vi.doUnmock('@clerk/nextjs/server');
  vi.resetModules();
  vi.unstubAllEnvs();
});

const SAME_SITE = { 'sec-fetch-site': 'same-origin' };

async function send(name: string, fields: Record<string, string>, headers: Record<string, string> = SAME_SITE) {
  const { POST } = await import(`../app/(shop)/api/${name}/route.ts`);
  const request = new Request(`${APP_URL}/api/${name}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  });
  return POST(request) as Promise<Response>;
}

async function post(name: string, fields: Record<string, string>): Promise<[number, string | null]> {
  const { status, headers } = await send(name, fields);
  return [status, headers.get('location')];
}

async function refusalOf(...request: Parameters<typeof send>): Promise<[number, string]> {
  const response = await send(...request);
  return [response.status, (await response.json()).code];
}

describe('a form that is posted without a valid session', () => {
  test.each([
    ['checkout', { plan: 'studio_yearly' }, '/checkout?plan=studio_yearly&resume=payment'],
    ['bank-transfer', { plan: 'studio_yearly' }, '/checkout?plan=studio_yearly&resume=transfer'], // part: demo
    ['billing', {}, '/account?resume=billing'],
  ])('/api/%s %j leads to a page, which renews the session or asks for one', async (name, fields, page) => {
    expect(await post(name, fields)).toEqual([303, page]);
  });

  test('a checkout that the page has posted again, still without one, leads to sign-up and not in a circle', async () => {
    expect(await post('checkout', { plan: 'studio_yearly', resumed: '1' })).toEqual([
      303,
      '/sign-up?plan=studio_yearly',
    ]);
  });

  test.each([
    'checkout',
    'bank-transfer', // part: demo
  ])('/api/%s sells only what is on the pricing page, and leads there', async (name) => {
    for (const plan of ['', 'free', 'price_123', '__proto__', 'studio_monthly\0', '-1']) {
      expect(await post(name, { plan })).toEqual([303, '/pricing']);
    }
  });
});

describe.each([
  'checkout',
  'bank-transfer', // part: demo
  'billing',
])('a form for /api/%s', (name) => {
  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ])('that is posted from another site is refused: %j', async (headers) => {
    expect(await refusalOf(name, { plan: 'studio_monthly' }, headers)).toEqual([403, 'cross_site']);
  });

  test('that is too large is refused', async () => {
    expect(await refusalOf(name, { plan: 'a'.repeat(5000) })).toEqual([413, 'too_large']);
  });
});
