import { describe, expect, test } from 'vitest';
import { OAUTH_PROVIDER } from '../objects/oauth';
import { APP, type Browser, newAddress, PASSWORD, useInstance } from '../testing/instance';

const instance = useInstance();

const CALLBACK = '/v1/oauth_callback';
const VISIT = {
  strategy: OAUTH_PROVIDER.strategy,
  redirect_url: `${APP}/sign-in#/sso-callback`,
  action_complete_redirect_url: `${APP}/welcome`,
};

/** Starts a visit and returns its state, from the address that the browser is sent to. */
async function visit(browser: Browser, path: 'sign_ins' | 'sign_ups', fields: Record<string, string> = {}) {
  const { body } = await browser.post(`/v1/client/${path}`, { ...VISIT, ...fields });
  const verification = body.response.first_factor_verification ?? body.response.verifications.external_account;
  const url = new URL(verification.external_verification_redirect_url);
  expect(`${url.origin}${url.pathname}`).toBe(`${instance.url}/oauth/authorize`);
  return url.searchParams.get('state') ?? '';
}

const consent = (browser: Browser, state: string, email: string) =>
  browser.post(CALLBACK, { state, email_address: email, first_name: 'Ada', decision: 'allow' });

describe('"Continue with …"', () => {
  test('from sign-in, of a new person, transfers to a sign-up with the metadata of that request', async () => {
    const browser = instance.openBrowser();
    const email = newAddress();
    const answer = await consent(browser, await visit(browser, 'sign_ins'), email);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, VISIT.redirect_url]);
    const { body } = await browser.get('/v1/client');
    expect(body.response.sessions).toEqual([]);
    expect(body.response.sign_in.first_factor_verification).toMatchObject({
      status: 'transferable',
      error: { code: 'external_account_not_found' },
    });
    const transfer = { transfer: 'true', unsafe_metadata: '{"referrer":"ref_9"}' };
    const done = await browser.post('/v1/client/sign_ups', transfer);
    expect(done.body.response.status).toBe('complete');
    expect(done.body.client.sessions[0].user).toMatchObject({
      first_name: 'Ada',
      password_enabled: false,
      unsafe_metadata: { referrer: 'ref_9' },
      external_accounts: [{ email_address: email, provider: OAUTH_PROVIDER.strategy }],
    });
    const [event] = await instance.events(email);
    expect(event.data.unsafe_metadata).toEqual({ referrer: 'ref_9' });
  });

  test('from sign-in, transferred without metadata, loses it: set it on both components', async () => {
    const browser = instance.openBrowser();
    await consent(browser, await visit(browser, 'sign_ins'), newAddress());
    const done = await browser.post('/v1/client/sign_ups', { transfer: 'true' });
    expect(done.body.client.sessions[0].user.unsafe_metadata).toEqual({});
  });

  test('from sign-up, of a new person, signs them up and leads to the page after it', async () => {
    const browser = instance.openBrowser();
    const state = await visit(browser, 'sign_ups', { unsafe_metadata: '{"referrer":"ref_8"}' });
    const answer = await consent(browser, state, newAddress('+clerk_test'));
    expect(answer.headers.get('location')).toBe(VISIT.action_complete_redirect_url);
    const { body } = await browser.get('/v1/client');
    expect(body.response.sessions[0].user.unsafe_metadata).toEqual({ referrer: 'ref_8' });
  });

  test('from a sign-up that has begun, whether with an address or with a visit that was canceled, starts anew', async () => {
    const browser = instance.openBrowser();
    const { body } = await browser.post('/v1/client/sign_ups', {
      email_address: newAddress('+clerk_test'),
      password: PASSWORD,
    });
    const again = () => browser.post(`/v1/client/sign_ups/${body.response.id}?_method=PATCH`, VISIT);
    for (const decision of ['deny', 'allow']) {
      const { external_account: visited } = (await again()).body.response.verifications;
      expect(visited.status).toBe('unverified');
      const state = new URL(visited.external_verification_redirect_url).searchParams.get('state') ?? '';
      await browser.post(CALLBACK, { state, email_address: newAddress(), first_name: 'Ada', decision });
    }
    expect((await browser.get('/v1/client')).body.response.sessions).toHaveLength(1);
    const other = await browser.post(`/v1/client/sign_ups/${body.response.id}?_method=PATCH`, { strategy: 'ticket' });
    expect(other.status).toBeGreaterThanOrEqual(400);
  });

  test('that was canceled says nothing about the user who then signs up with an address', async () => {
    const [browser, email] = [instance.openBrowser(), newAddress()];
    const state = await visit(browser, 'sign_ups');
    await browser.post(CALLBACK, { state, decision: 'deny' });
    const { id } = (await browser.get('/v1/client')).body.response.sign_up;
    const fields = { email_address: email, password: PASSWORD };
    const done = await browser.post(`/v1/client/sign_ups/${id}?_method=PATCH`, fields);
    const { user } = done.body.client.sessions[0];
    expect(user.external_accounts).toEqual([]);
    expect(user.email_addresses[0].verification.strategy).toBe('admin');
  });

  test('from sign-in, of a known account, signs in', async () => {
    const email = newAddress();
    const first = instance.openBrowser();
    await consent(first, await visit(first, 'sign_ups'), email);
    const second = instance.openBrowser();
    const answer = await consent(second, await visit(second, 'sign_ins'), email);
    expect(answer.headers.get('location')).toBe(VISIT.action_complete_redirect_url);
    expect((await second.get('/v1/client')).body.response.sessions).toHaveLength(1);
    expect(await instance.events(email)).toHaveLength(1);
  });

  test('from sign-up, of a user known by their address, transfers to a sign-in and links the account', async () => {
    const email = newAddress();
    const { userId } = await instance.signUpUser(email);
    const browser = instance.openBrowser();
    const answer = await consent(browser, await visit(browser, 'sign_ups'), email);
    expect(answer.headers.get('location')).toBe(VISIT.redirect_url);
    const done = await browser.post('/v1/client/sign_ins', { transfer: 'true' });
    expect(done.body.response.status).toBe('complete');
    const { user } = done.body.client.sessions[0];
    expect([user.id, user.external_accounts.length]).toEqual([userId, 1]);
  });

  test.each([
    ['banned', 'user_banned'],
    ['locked', 'user_locked'],
  ])('from sign-in, of a user who is %s, leads back with that reason', async (how, code) => {
    const [email, browser] = [newAddress(), instance.openBrowser()];
    const { userId } = await instance.signUpUser(email);
    const { users } = instance.sdk;
    await (how === 'banned' ? users.banUser(userId) : users.lockUser(userId));
    const answer = await consent(browser, await visit(browser, 'sign_ins'), email);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, VISIT.redirect_url]);
    const { response } = (await browser.get('/v1/client')).body;
    expect(response.sign_in.first_factor_verification).toMatchObject({ error: { code } });
    expect(response.sessions).toEqual([]);
  });

  test('that the person cancels makes no user, and says why', async () => {
    const browser = instance.openBrowser();
    const answer = await browser.post(CALLBACK, { state: await visit(browser, 'sign_ins'), decision: 'deny' });
    expect(answer.headers.get('location')).toBe(VISIT.redirect_url);
    const { body } = await browser.get('/v1/client');
    expect(body.response.sign_in.first_factor_verification).toMatchObject({
      status: 'failed',
      error: { code: 'oauth_access_denied' },
    });
    expect((await browser.post('/v1/client/sign_ups', { transfer: 'true' })).status).toBe(404);
  });

  test('is canceled whatever was typed as the address', async () => {
    const browser = instance.openBrowser();
    const state = await visit(browser, 'sign_ups');
    const answer = await browser.post(CALLBACK, { state, decision: 'deny', email_address: 'ada@' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, VISIT.redirect_url]);
  });

  test.each(['ada@localhost', ''])('asks again for an address such as “%s”, with what was typed', async (typed) => {
    const browser = instance.openBrowser();
    const state = await visit(browser, 'sign_ups');
    const again = await consent(browser, state, typed);
    expect([again.status, again.headers.get('content-type')]).toEqual([422, 'text/html; charset=UTF-8']);
    expect(again.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(again.body).toContain('Email address must be a valid email address.');
    expect(again.body).toContain('aria-describedby="email_address-error"');
    for (const value of [state, typed, 'Ada']) expect(again.body).toContain(`value="${value}"`);
    expect((await consent(browser, state, newAddress())).headers.get('location')).toBe(
      VISIT.action_complete_redirect_url,
    );
  });

  test('that is too old or over ends on a page that says so', async () => {
    const { status, body } = await consent(instance.openBrowser(), 'oau_none', newAddress());
    expect(status).toBe(404);
    expect(body).toContain('This request has expired');
    expect(body).toContain(`href="${APP}"`);
  });

  test('is finished only by the browser that began it', async () => {
    const browser = instance.openBrowser();
    const state = await visit(browser, 'sign_ups');
    expect((await consent(instance.openBrowser(), state, newAddress())).status).toBe(404);
    expect((await consent(browser, state, newAddress())).status).toBe(303);
    expect((await consent(instance.openBrowser(), state, newAddress())).status).toBe(404);
  });

  test('finishes once: a second click on the button changes nothing and leads to the same page', async () => {
    const [browser, email] = [instance.openBrowser(), newAddress('+clerk_test')];
    const clickTwice = async (state: string) => {
      const [first, second] = [await consent(browser, state, email), await consent(browser, state, email)];
      expect([first.status, second.status]).toEqual([303, 303]);
      expect(second.headers.get('location')).toBe(first.headers.get('location'));
      expect(second.headers.getSetCookie()).toEqual(first.headers.getSetCookie());
      return first.headers.get('location');
    };
    expect(await clickTwice(await visit(browser, 'sign_ups'))).toBe(VISIT.action_complete_redirect_url);
    expect((await browser.get('/v1/client')).body.response.sessions).toHaveLength(1);
    expect(await instance.events(email)).toHaveLength(1);
    const { body } = await browser.post('/v1/me/external_accounts', VISIT);
    const url = new URL(body.response.verification.external_verification_redirect_url);
    expect(await clickTwice(url.searchParams.get('state') ?? '')).toBe(VISIT.redirect_url);
  });

  test('never leads out of the app', async () => {
    for (const field of ['redirect_url', 'action_complete_redirect_url']) {
      const { status, body } = await instance.openBrowser().post('/v1/client/sign_ins', {
        ...VISIT,
        [field]: 'https://evil.example/',
      });
      expect([status, body.errors[0].code]).toEqual([400, 'invalid_url_scheme']);
    }
  });

  test('connects an account on the account page, which can then be disconnected', async () => {
    const { browser } = await instance.signUpUser(newAddress());
    const { body } = await browser.post('/v1/me/external_accounts', VISIT);
    const url = new URL(body.response.verification.external_verification_redirect_url);
    await consent(browser, url.searchParams.get('state') ?? '', newAddress());
    const me = await browser.get('/v1/me');
    const [account] = me.body.response.external_accounts;
    expect((await browser.remove(`/v1/me/external_accounts/${account.id}`)).status).toBe(200);
    expect((await browser.get('/v1/me')).body.response.external_accounts).toEqual([]);
  });

  test('stays connected while it is the only way to sign in', async () => {
    const browser = instance.openBrowser();
    await consent(browser, await visit(browser, 'sign_ups'), newAddress());
    const [account] = (await browser.get('/v1/me')).body.response.external_accounts;
    expect((await browser.remove(`/v1/me/external_accounts/${account.id}`)).status).toBe(400);
    await browser.post('/v1/me/change_password', { new_password: PASSWORD });
    expect((await browser.remove(`/v1/me/external_accounts/${account.id}`)).status).toBe(200);
  });
});
