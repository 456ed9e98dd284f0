import { createClerkClient, verifyToken } from '@clerk/backend';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { cookieSuffix } from '../cookies';
import { APP, type Browser, newAddress, useInstance } from '../testing/instance';

const instance = useInstance({ appName: 'Acme' });

const HANDSHAKE = '/v1/client/handshake?redirect_url=';

/** Checks a token as plain `clerkMiddleware()` does: with the key that the Backend API publishes. */
const verify = (token: string) =>
  verifyToken(token, {
    secretKey: instance.emulator.secrets.clerkSecretKey,
    apiUrl: instance.url,
    authorizedParties: [APP],
  });

/** How Clerk's server SDK handles a page load of this browser. */
const authenticate = (browser: Browser) => {
  const { secrets, publishableKey } = instance.emulator;
  const client = createClerkClient({ secretKey: secrets.clerkSecretKey, publishableKey, apiUrl: instance.url });
  const headers = { cookie: browser.cookieHeader, accept: 'text/html', 'sec-fetch-dest': 'document' };
  return client.authenticateRequest(new Request(`${APP}/account`, { headers }), { proxyUrl: instance.url });
};

describe('a session token', () => {
  test("is one that Clerk's own server code accepts, with the published key", async () => {
    const { browser, userId, sessionId } = await instance.signUpUser(newAddress());
    const { body } = await browser.post(`/v1/client/sessions/${sessionId}/tokens`);
    const claims = await verify(body.jwt);
    expect(claims).toMatchObject({ sub: userId, sid: sessionId, v: 2, sts: 'active', azp: APP });
    expect(decodeProtectedHeader(body.jwt)).toMatchObject({ alg: 'RS256', typ: 'JWT' });
    expect(claims.exp - claims.iat).toBe(60);
  });

  test('is never older than the cookie that says when the browser signed in', async () => {
    const { browser, sessionId } = await instance.signUpUser(newAddress());
    const { body } = await browser.post(`/v1/client/sessions/${sessionId}/tokens`);
    expect(Number(decodeJwt(body.jwt).iat)).toBeGreaterThanOrEqual(Number(browser.cookies.get('__client_uat')));
  });

  test('is not given for the session of another browser', async () => {
    const { sessionId } = await instance.signUpUser(newAddress());
    const { browser } = await instance.signUpUser(newAddress());
    expect((await browser.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(404);
  });

  test('is not given once a server has revoked the session', async () => {
    const { browser, sessionId } = await instance.signUpUser(newAddress());
    await instance.sdk.sessions.revokeSession(sessionId);
    expect((await browser.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(404);
    expect((await browser.get('/v1/client')).body.response.sessions).toEqual([]);
  });
});

describe('the handshake', () => {
  test('brings a fresh token and leads back to the page, which is then signed in', async () => {
    const { browser, userId } = await instance.signUpUser(newAddress());
    expect((await authenticate(browser)).status).toBe('handshake');
    const { status, headers } = await browser.get(`${HANDSHAKE}${encodeURIComponent(`${APP}/account?tab=1`)}`);
    expect([status, headers.get('location')]).toEqual([307, `${APP}/account?tab=1`]);
    await expect(verify(browser.cookies.get('__session') ?? '')).resolves.toMatchObject({ sts: 'active' });
    expect((await authenticate(browser)).toAuth()).toMatchObject({ userId });
  });

  test('of a browser that is signed out removes the session cookie', async () => {
    const browser = instance.openBrowser();
    browser.cookies.set('__session', 'stale');
    await browser.get(`${HANDSHAKE}${encodeURIComponent(APP)}`);
    expect(browser.cookies.has('__session')).toBe(false);
    expect(browser.cookies.get('__client_uat')).toBe('0');
  });

  test('of a browser whose session a server has revoked signs it out', async () => {
    const { browser, sessionId } = await instance.signUpUser(newAddress());
    await browser.get(`${HANDSHAKE}${encodeURIComponent(APP)}`);
    expect((await authenticate(browser)).status).toBe('signed-in');
    await instance.sdk.sessions.revokeSession(sessionId);
    browser.cookies.delete('__session'); // its token has expired
    browser.cookies.delete(`__session_${cookieSuffix(instance.emulator.publishableKey)}`);
    await browser.get(`${HANDSHAKE}${encodeURIComponent(APP)}`);
    expect(browser.cookies.has('__session')).toBe(false);
    expect((await authenticate(browser)).status).toBe('signed-out');
  });

  test('leaves the plain cookies of another instance on the same host without effect', async () => {
    const { browser, userId } = await instance.signUpUser(newAddress());
    await browser.get(`${HANDSHAKE}${encodeURIComponent(APP)}`);
    const suffix = cookieSuffix(instance.emulator.publishableKey);
    const foreign = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from(
      JSON.stringify({ iss: 'https://clerk.other.test', iat: 1, exp: 2 }),
    ).toString('base64url')}.AAAA`;
    browser.cookies.set('__session', foreign).set('__client_uat', '1');
    expect(browser.cookies.has(`__session_${suffix}`)).toBe(true);
    expect((await authenticate(browser)).toAuth()).toMatchObject({ userId });
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    `${APP}@evil.example/`,
    'javascript:alert(1)',
    'http://localhost:10/',
  ])('leads only to the app and the emulators: %s', async (target) => {
    const { browser } = await instance.signUpUser(newAddress());
    const { status, headers } = await browser.get(`${HANDSHAKE}${encodeURIComponent(target)}`);
    expect(status).toBe(400);
    expect(headers.get('location')).toBeNull();
    expect(browser.cookies.has('__session')).toBe(false);
  });
});

test('the environment has the name of the app and the addresses of the Account Portal', async () => {
  const { body } = await instance.openBrowser().get('/v1/environment');
  expect(body.display_config).toMatchObject({
    application_name: 'Acme',
    sign_in_url: `${instance.url}/sign-in`,
    sign_up_url: `${instance.url}/sign-up`,
    user_profile_url: `${instance.url}/user`,
    after_sign_in_url: APP,
  });
});

test('clerk-js keeps a session alive by touching it, and ends it', async () => {
  const { browser, sessionId } = await instance.signUpUser(newAddress());
  const before = await instance.sdk.sessions.getSession(sessionId);
  const touched = await browser.post(`/v1/client/sessions/${sessionId}/touch`);
  expect(touched.body.response.last_active_at).toBeGreaterThan(before.lastActiveAt);
  const ended = await browser.post(`/v1/client/sessions/${sessionId}/end`);
  expect(ended.body).toMatchObject({ response: { status: 'ended' }, client: { sessions: [] } });
  expect((await instance.sdk.sessions.getSession(sessionId)).status).toBe('ended');
});
