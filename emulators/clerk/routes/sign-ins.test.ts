import { describe, expect, test } from 'vitest';
import { newAddress, PASSWORD, useInstance } from '../testing/instance';

const instance = useInstance();

const SIGN_INS = '/v1/client/sign_ins';

describe('sign-in', () => {
  test('asks for the identifier, then for the factor, then makes a session', async () => {
    const email = newAddress();
    const { userId } = await instance.signUpUser(email);
    const browser = instance.openBrowser();
    const who = await browser.post(SIGN_INS, { identifier: email });
    expect(who.body.response).toMatchObject({
      status: 'needs_first_factor',
      identifier: email,
      created_session_id: null,
    });
    expect(who.body.client.sign_in.id).toBe(who.body.response.id);
    const path = `${SIGN_INS}/${who.body.response.id}/attempt_first_factor`;
    const done = await browser.post(path, { strategy: 'password', password: PASSWORD });
    expect(done.body.response.status).toBe('complete');
    expect(done.body.client.sessions[0].user.id).toBe(userId);
    expect(done.body.client.sign_in).toBeNull();
  });

  test('refuses a wrong password, and the right one still works', async () => {
    const email = newAddress();
    await instance.signUpUser(email);
    const browser = instance.openBrowser();
    const wrong = await browser.post(SIGN_INS, { identifier: email, password: 'wrong password' });
    expect([wrong.status, wrong.body.errors[0].code]).toEqual([422, 'form_password_incorrect']);
    expect(browser.cookies.has('__session')).toBe(false);
    expect((await browser.get('/v1/client')).body.response).toBeNull();
    const right = await browser.post(SIGN_INS, { identifier: email, password: PASSWORD });
    expect(right.body.response.status).toBe('complete');
  });

  test('refuses an address without a user', async () => {
    const { status, body } = await instance.openBrowser().post(SIGN_INS, { identifier: newAddress() });
    expect([status, body.errors[0].code]).toEqual([422, 'form_identifier_not_found']);
  });

  test('works with a code instead of the password', async () => {
    const email = newAddress();
    await instance.signUpUser(email);
    const browser = instance.openBrowser();
    const who = await browser.post(SIGN_INS, { identifier: email });
    const path = `${SIGN_INS}/${who.body.response.id}`;
    const early = await browser.post(`${path}/attempt_first_factor`, { strategy: 'email_code', code: '424242' });
    expect(early.body.errors[0].code).toBe('verification_missing');
    await browser.post(`${path}/prepare_first_factor`, { strategy: 'email_code' });
    const done = await browser.post(`${path}/attempt_first_factor`, { strategy: 'email_code', code: '424242' });
    expect(done.body.response.status).toBe('complete');
  });

  test('with a strategy that is a code has the code sent at once', async () => {
    const email = newAddress();
    const { userId } = await instance.signUpUser(email);
    const browser = instance.openBrowser();
    const sent = await browser.post(SIGN_INS, { strategy: 'email_code', identifier: email });
    expect(sent.body.response).toMatchObject({
      status: 'needs_first_factor',
      first_factor_verification: { status: 'unverified', strategy: 'email_code' },
    });
    const path = `${SIGN_INS}/${sent.body.response.id}/attempt_first_factor`;
    const done = await browser.post(path, { strategy: 'email_code', code: '424242' });
    expect(done.body.client.sessions[0].user.id).toBe(userId);
    const unknown = await instance.openBrowser().post(SIGN_INS, { strategy: 'email_code', identifier: newAddress() });
    expect([unknown.status, unknown.body.errors[0].code]).toEqual([422, 'form_identifier_not_found']);
  });

  test('works with a ticket from the Backend API, and with no other', async () => {
    const { userId } = await instance.signUpUser(newAddress());
    const { body } = await instance.backend('POST', '/v1/sign_in_tokens', { user_id: userId, expires_in_seconds: 60 });
    const forged = await instance.openBrowser().post(SIGN_INS, { strategy: 'ticket', ticket: `${body.token}x` });
    expect([forged.status, forged.body.errors[0].code]).toEqual([400, 'ticket_invalid_code']);
    const done = await instance.openBrowser().post(SIGN_INS, { strategy: 'ticket', ticket: body.token });
    expect(done.body.client.sessions[0].user.id).toBe(userId);
  });

  test('works once with a ticket, and with another one of the same user again', async () => {
    const { userId } = await instance.signUpUser(newAddress());
    const redeem = (ticket: string) => instance.openBrowser().post(SIGN_INS, { strategy: 'ticket', ticket });
    const newTicket = async () =>
      (await instance.backend('POST', '/v1/sign_in_tokens', { user_id: userId })).body.token as string;
    const [first, second] = [await newTicket(), await newTicket()];
    expect((await redeem(first)).status).toBe(200);
    const { status, body } = await redeem(first);
    expect([status, body.errors[0].code]).toEqual([400, 'sign_in_token_already_used_code']);
    expect((await redeem(second)).body.client.sessions[0].user.id).toBe(userId);
  });
});

describe('sign-out', () => {
  test('ends the session, and the cookie says so', async () => {
    const { browser, sessionId } = await instance.signUpUser(newAddress());
    const { body } = await browser.remove('/v1/client/sessions');
    expect(body.client.sessions).toEqual([]);
    expect(browser.cookies.get('__client_uat')).toBe('0');
    expect((await browser.post(`/v1/client/sessions/${sessionId}/tokens`)).status).toBe(404);
    expect((await instance.backend('GET', `/v1/sessions/${sessionId}`)).body.status).toBe('removed');
  });

  test('of one browser leaves the others signed in', async () => {
    const email = newAddress();
    const { browser } = await instance.signUpUser(email);
    const other = instance.openBrowser();
    await other.post(SIGN_INS, { identifier: email, password: PASSWORD });
    await browser.remove('/v1/client/sessions');
    expect((await other.get('/v1/client')).body.response.sessions).toHaveLength(1);
  });
});

describe('a forgotten password', () => {
  const STRATEGY = 'reset_password_email_code';
  const NEW_PASSWORD = 'another horse 43';

  async function prove(email: string, more: Record<string, string> = {}) {
    const browser = instance.openBrowser();
    const who = await browser.post(SIGN_INS, { identifier: email });
    const path = `${SIGN_INS}/${who.body.response.id}`;
    await browser.post(`${path}/prepare_first_factor`, { strategy: STRATEGY });
    const proven = await browser.post(`${path}/attempt_first_factor`, { strategy: STRATEGY, code: '424242', ...more });
    return { browser, path, who, proven };
  }

  const signIn = (email: string, password: string) =>
    instance.openBrowser().post(SIGN_INS, { identifier: email, password });

  test('is replaced after the code, which signs in here and out elsewhere', async () => {
    const email = newAddress();
    const { browser: elsewhere } = await instance.signUpUser(email);
    const { browser, path, who, proven } = await prove(email);
    expect(who.body.response.supported_first_factors).toContainEqual(expect.objectContaining({ strategy: STRATEGY }));
    expect(proven.body.response).toMatchObject({ status: 'needs_new_password', created_session_id: null });
    const short = await browser.post(`${path}/reset_password`, { password: 'short' });
    expect(short.body.errors[0].code).toBe('form_password_length_too_short');
    const fields = { password: NEW_PASSWORD, sign_out_of_other_sessions: 'true' };
    const done = await browser.post(`${path}/reset_password`, fields);
    expect(done.body.response).toMatchObject({ status: 'complete' });
    expect((await elsewhere.get('/v1/client')).body.response?.sessions ?? []).toEqual([]);
    expect((await signIn(email, PASSWORD)).body.errors[0].code).toBe('form_password_incorrect');
    expect((await signIn(email, NEW_PASSWORD)).body.response.status).toBe('complete');
  });

  test('is replaced where the attempt begins with the code for it', async () => {
    const email = newAddress();
    await instance.signUpUser(email);
    const browser = instance.openBrowser();
    const sent = await browser.post(SIGN_INS, { strategy: STRATEGY, identifier: email });
    expect(sent.body.response).toMatchObject({
      status: 'needs_first_factor',
      first_factor_verification: { status: 'unverified', strategy: STRATEGY },
    });
    const path = `${SIGN_INS}/${sent.body.response.id}`;
    const proven = await browser.post(`${path}/attempt_first_factor`, { strategy: STRATEGY, code: '424242' });
    expect(proven.body.response.status).toBe('needs_new_password');
    const done = await browser.post(`${path}/reset_password`, { password: NEW_PASSWORD });
    expect(done.body.response.status).toBe('complete');
    expect((await signIn(email, NEW_PASSWORD)).body.response.status).toBe('complete');
  });

  test('is replaced with the code at once', async () => {
    const email = newAddress();
    await instance.signUpUser(email);
    const { proven } = await prove(email, { password: NEW_PASSWORD });
    expect(proven.body.response.status).toBe('complete');
  });

  test('is not replaced without the code for it', async () => {
    const email = newAddress();
    await instance.signUpUser(email);
    const browser = instance.openBrowser();
    const who = await browser.post(SIGN_INS, { identifier: email });
    const path = `${SIGN_INS}/${who.body.response.id}`;
    await browser.post(`${path}/prepare_first_factor`, { strategy: 'email_code' });
    const reset = { strategy: STRATEGY, code: '424242', password: NEW_PASSWORD };
    expect((await browser.post(`${path}/attempt_first_factor`, reset)).status).toBe(400);
    expect((await browser.post(`${path}/reset_password`, { password: NEW_PASSWORD })).status).toBe(400);
  });
});

test('a banned or locked user cannot sign in, and a ban ends the sessions', async () => {
  const email = newAddress();
  const { userId, browser } = await instance.signUpUser(email);
  const signIn = async () => {
    const reply = await instance.openBrowser().post(SIGN_INS, { identifier: email, password: PASSWORD });
    return reply.body.errors?.[0].code ?? reply.body.response.status;
  };
  const { users } = instance.sdk;
  expect(await users.banUser(userId)).toMatchObject({ banned: true });
  expect(await signIn()).toBe('user_banned');
  expect((await browser.get('/v1/client')).body.response?.sessions ?? []).toEqual([]);
  expect(await users.unbanUser(userId)).toMatchObject({ banned: false });
  expect(await signIn()).toBe('complete');
  expect(await users.lockUser(userId)).toMatchObject({ locked: true });
  expect(await signIn()).toBe('user_locked');
  await users.unlockUser(userId);
  expect(await signIn()).toBe('complete');
});
