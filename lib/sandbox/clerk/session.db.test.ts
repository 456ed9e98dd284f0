import { verifyToken } from '@clerk/nextjs/server';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { callBackend, ORIGIN, openBrowser, signUpUser } from './testing/browser';
import { newAddress, setUpClerk } from './testing/set-up';

beforeAll(setUpClerk);

const jwtKey = () => process.env.CLERK_JWT_KEY ?? '';
const HANDSHAKE = '/v1/client/handshake?redirect_url=';

describe('a session token', () => {
  test("is one that Clerk's own server code accepts", async () => {
    const { browser, userId, sessionId } = await signUpUser(newAddress());
    const { body } = await browser.post(`/v1/client/sessions/${sessionId}/tokens`);
    const claims = await verifyToken(body.jwt, { jwtKey: jwtKey(), authorizedParties: [ORIGIN] });
    expect(claims).toMatchObject({ sub: userId, sid: sessionId, v: 2, sts: 'active', azp: ORIGIN });
    expect(decodeProtectedHeader(body.jwt)).toMatchObject({ alg: 'RS256', typ: 'JWT' });
    expect(claims.exp - claims.iat).toBe(60);
  });

  test('is never older than the cookie that says when the browser signed in', async () => {
    const { browser, sessionId } = await signUpUser(newAddress());
    const { body } = await browser.post(`/v1/client/sessions/${sessionId}/tokens`);
    expect(Number(decodeJwt(body.jwt).iat)).toBeGreaterThanOrEqual(Number(browser.cookies.get('__client_uat')));
  });

  test('is not given for the session of another browser', async () => {
    const { sessionId } = await signUpUser(newAddress());
    const { browser } = await signUpUser(newAddress());
    expect((await browser.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(404);
  });

  test('is not given once a server has revoked the session', async () => {
    const { browser, sessionId } = await signUpUser(newAddress());
    await callBackend('POST', `/v1/sessions/${sessionId}/revoke`);
    expect((await browser.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(404);
    expect((await browser.get('/v1/client')).body.response.sessions).toEqual([]);
  });
});

describe('the handshake', () => {
  test('brings a fresh token and leads back to the page', async () => {
    const { browser } = await signUpUser(newAddress());
    const { status, headers } = await browser.get(`${HANDSHAKE}${encodeURIComponent(`${ORIGIN}/account?tab=1`)}`);
    expect([status, headers.get('location')]).toEqual([307, `${ORIGIN}/account?tab=1`]);
    const token = browser.cookies.get('__session') ?? '';
    await expect(verifyToken(token, { jwtKey: jwtKey() })).resolves.toMatchObject({ sts: 'active' });
  });

  test('of a browser that is signed out removes the session cookie', async () => {
    const browser = openBrowser();
    browser.cookies.set('__session', 'stale');
    await browser.get(`${HANDSHAKE}${encodeURIComponent(ORIGIN)}`);
    expect(browser.cookies.has('__session')).toBe(false);
    expect(browser.cookies.get('__client_uat')).toBe('0');
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    `${ORIGIN}@evil.example/`,
    'javascript:alert(1)',
    'http://localhost:10/',
  ])('never leads out of the app: %s', async (target) => {
    const { browser } = await signUpUser(newAddress());
    const { status, headers } = await browser.get(`${HANDSHAKE}${encodeURIComponent(target)}`);
    expect(status).toBe(400);
    expect(headers.get('location')).toBeNull();
    expect(browser.cookies.has('__session')).toBe(false);
  });
});
