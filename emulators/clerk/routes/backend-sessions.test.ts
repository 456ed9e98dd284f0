import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { newAddress, PASSWORD, useInstance } from '../testing/instance';

const instance = useInstance();

test('a server lists the sessions of a user, also those that have ended', async () => {
  const { userId, sessionId } = await instance.signUpUser(newAddress());
  expect((await instance.sdk.sessions.getSessionList({ userId })).data.map(({ id }) => id)).toEqual([sessionId]);
  expect((await instance.sdk.sessions.revokeSession(sessionId)).status).toBe('revoked');
  expect((await instance.sdk.sessions.getSessionList({ userId })).data).toMatchObject([
    { id: sessionId, status: 'revoked' },
  ]);
  expect((await instance.sdk.sessions.getSessionList({ userId, status: 'active' })).data).toEqual([]);
});

test('a server asks for sessions by status and page; other filters are refused', async () => {
  const email = newAddress();
  const { userId, sessionId: first } = await instance.signUpUser(email);
  await instance.openBrowser().post('/v1/client/sign_ins', { identifier: email, password: PASSWORD });
  const list = (over: object) => instance.sdk.sessions.getSessionList({ userId, ...over });
  const [newest] = (await list({})).data;
  await instance.sdk.sessions.revokeSession(first);
  expect((await list({ status: 'revoked' })).data.map(({ id }) => id)).toEqual([first]);
  expect((await list({ status: 'active' })).data.map(({ id }) => id)).toEqual([newest?.id]);
  expect((await list({ status: 'expired' })).data).toEqual([]);
  expect(await list({ limit: 1, offset: 1 })).toMatchObject({ data: [{ id: first }], totalCount: 2 });
  await expect(list({ status: 'sleeping' })).rejects.toMatchObject({ status: 422 });
  await expect(list({ clientId: 'client_1' })).rejects.toThrow();
});

test('a server gets a session token with the lifetime that it asks for, of an active session only', async () => {
  const { sessionId } = await instance.signUpUser(newAddress());
  const path = `/v1/sessions/${sessionId}/tokens`;
  const { iat = 0, exp } = decodeJwt((await instance.backend('POST', path, { expires_in_seconds: 1 })).body.jwt);
  expect(exp).toBe(iat + 1);
  expect((await instance.backend('POST', path, { expires_in_seconds: 0 })).status).toBe(422);
  await instance.sdk.sessions.revokeSession(sessionId);
  expect((await instance.backend('POST', path)).status).toBe(404);
});

test('a session that the browser has ended is not revoked any more', async () => {
  const { browser, sessionId } = await instance.signUpUser(newAddress());
  await browser.post(`/v1/client/sessions/${sessionId}/end`);
  expect((await instance.sdk.sessions.revokeSession(sessionId)).status).toBe('ended');
});

test('a testing token can be had', async () => {
  const { body } = await instance.backend('POST', '/v1/testing_tokens');
  expect(body.token).toMatch(/^tst_/);
  expect(body.expires_at).toBeGreaterThan(Date.now() / 1000);
});
