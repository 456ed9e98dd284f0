// What the forms of static pages answer without a session. Clerk tokens live 60 s and static pages do not refresh them, so a POST
// may come from a customer whose token has expired, and Clerk cannot renew it during a POST: a page (GET) has to.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

vi.mock('@clerk/nextjs/server', () => ({ auth: async () => ({ userId: null }), currentUser: async () => null }));

const APP_URL = 'https://shop.example';
beforeAll(() => {
  vi.resetModules(); // the handlers of other files have the real session
  vi.stubEnv('APP_URL', APP_URL);
});
afterAll(() => {
  vi.resetModules();
  vi.unstubAllEnvs();
});

async function post(name: string, fields: Record<string, string>): Promise<[number, string | null]> {
  const { POST } = await import(`../app/(shop)/api/${name}/route.ts`);
  const request = new Request(`${APP_URL}/api/${name}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  });
  const response: Response = await POST(request);
  return [response.status, response.headers.get('location')];
}

describe('a form that is posted without a valid session', () => {
  test.each([
    ['checkout', { plan: 'studio_yearly' }, '/checkout?plan=studio_yearly&resume=payment'],
    ['bank-transfer', { plan: 'studio_yearly' }, '/checkout?plan=studio_yearly&resume=transfer'], // part: demo
    ['billing', {}, '/account'],
  ])('/api/%s %j leads to a page, which renews the session or asks for one', async (name, fields, page) => {
    expect(await post(name, fields)).toEqual([303, APP_URL + page]);
  });

  test('a checkout that the page has posted again, still without one, leads to sign-up and not in a circle', async () => {
    expect(await post('checkout', { plan: 'studio_yearly', resumed: '1' })).toEqual([
      303,
      `${APP_URL}/sign-up?plan=studio_yearly`,
    ]);
  });

  test.each([
    'checkout',
    'bank-transfer', // part: demo
  ])('/api/%s refuses an unknown plan first', async (name) => {
    expect(await post(name, { plan: 'studio_gold' })).toEqual([400, null]);
  });
});
