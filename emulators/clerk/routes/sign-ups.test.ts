import { describe, expect, test } from 'vitest';
import { newAddress, PASSWORD, useInstance } from '../testing/instance';

const instance = useInstance();

const SIGN_UPS = '/v1/client/sign_ups';

describe('sign-up', () => {
  test('with a password is complete at once, signed in, with its unsafe_metadata', async () => {
    const email = newAddress();
    const browser = instance.openBrowser();
    const fields = { email_address: email, password: PASSWORD, unsafe_metadata: '{"referrer":"ref_1","plan":"x"}' };
    const { status, body } = await browser.post(SIGN_UPS, fields);
    expect(status).toBe(200);
    expect(body.response).toMatchObject({ status: 'complete', email_address: email });
    expect(body.client.sign_up).toBeNull();
    const [session] = body.client.sessions;
    expect(session).toMatchObject({ id: body.response.created_session_id, status: 'active' });
    expect(session.user.unsafe_metadata).toEqual({ referrer: 'ref_1', plan: 'x' });
    expect(browser.cookies.get('__client_uat')).toBe(String(Math.floor(session.created_at / 1000)));
  });

  test('enqueues one user.created, with the metadata and the address', async () => {
    const email = newAddress();
    const { userId } = await instance.signUpUser(email, { unsafe_metadata: '{"referrer":"ref_2"}' });
    const events = await instance.events(email);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      object: 'event',
      type: 'user.created',
      data: {
        id: userId,
        unsafe_metadata: { referrer: 'ref_2' },
        email_addresses: [{ email_address: email, verification: { status: 'verified' } }],
      },
    });
  });

  test.each(['username', 'phone_number'])('with a %s is refused, as the emulator does not cover it', async (name) => {
    const fields = { email_address: newAddress(), password: PASSWORD, [name]: '+15555550100' };
    const { status, body } = await instance.openBrowser().post(SIGN_UPS, fields);
    expect([status, body.errors[0]]).toMatchObject([422, { code: 'form_param_unknown', meta: { param_name: name } }]);
    const { browser } = await instance.signUpUser(newAddress());
    expect((await browser.patch('/v1/me', { username: 'ada' })).status).toBe(422);
  });

  test('of a taken address is refused, whatever its case', async () => {
    const email = newAddress();
    await instance.signUpUser(email);
    const { status, body } = await instance.openBrowser().post(SIGN_UPS, {
      email_address: ` ${email.toUpperCase()} `,
      password: PASSWORD,
    });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      expect.objectContaining({ code: 'form_identifier_exists', meta: { param_name: 'email_address' } }),
    ]);
  });

  test('of one address in twenty browsers at once makes one user', async () => {
    const email = newAddress();
    const attempts = Array.from({ length: 20 }, () =>
      instance.openBrowser().post(SIGN_UPS, { email_address: email, password: PASSWORD }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 422)).toHaveLength(19);
    expect(await instance.events(email)).toHaveLength(1);
  });

  test.each([
    ['an address without a domain', { email_address: 'ada' }, 'form_param_format_invalid'],
    ['a short password', { password: 'short' }, 'form_password_length_too_short'],
    ['a password that is too long', { password: 'x'.repeat(73) }, 'form_password_length_too_long'],
    ['metadata that is not JSON', { unsafe_metadata: '{' }, 'form_param_format_invalid'],
    ['metadata that is not an object', { unsafe_metadata: '[1]' }, 'form_param_format_invalid'],
    ['metadata with a NUL', { unsafe_metadata: '{"a":"\\u0000"}' }, 'form_param_format_invalid'],
    ['metadata with half a character', { unsafe_metadata: '{"a":"\\ud800"}' }, 'form_param_format_invalid'],
    ['a NUL in a key of metadata', { unsafe_metadata: '{"a":[{"\\u0000":1}]}' }, 'form_param_format_invalid'],
    ['metadata over 8 KiB', { unsafe_metadata: `{"a":"${'x'.repeat(8192)}"}` }, 'form_param_exceeds_allowed_size'],
    ['a NUL in a name', { first_name: 'a\0b' }, 'form_param_format_invalid'],
  ])('with %s is refused and makes no user', async (_what, fields, code) => {
    const valid = { email_address: newAddress(), password: PASSWORD };
    const { status, body } = await instance.openBrowser().post(SIGN_UPS, { ...valid, ...fields });
    expect(status).toBe(422);
    expect(body.errors[0].code).toBe(code);
    expect(await instance.events(valid.email_address)).toEqual([]);
  });

  test.each(['ticket', 'enterprise_sso', 'google_one_tap', 'oauth_github'])(
    'with the strategy %s is refused, as is a sign-in where the emulator does not cover it',
    async (strategy) => {
      const email_address = newAddress();
      const browser = instance.openBrowser();
      const fields = { email_address, password: PASSWORD, strategy };
      const refused = [await browser.post(SIGN_UPS, fields)];
      if (strategy !== 'ticket') refused.push(await browser.post('/v1/client/sign_ins', { strategy }));
      for (const { status, body } of refused) {
        expect([status, body.errors[0].code]).toEqual([400, 'strategy_for_user_invalid']);
        expect(body.errors[0].message).toBe(`The Clerk emulator does not cover the strategy ${strategy}.`);
      }
      expect(await instance.events(email_address)).toEqual([]);
    },
  );

  test('with the strategy "password" is an ordinary one', async () => {
    const fields = { email_address: newAddress(), password: PASSWORD, strategy: 'password' };
    const { body } = await instance.openBrowser().post(SIGN_UPS, fields);
    expect(body.response.status).toBe('complete');
  });

  test('takes a backslash in a password, a name and metadata for what it is', async () => {
    const text = 'a\\ud800b \\u0000';
    const fields = {
      ...{ email_address: newAddress(), password: text, first_name: text },
      unsafe_metadata: JSON.stringify({ [text]: [text] }),
    };
    const { body } = await instance.openBrowser().post(SIGN_UPS, fields);
    expect(body.client.sessions[0].user).toMatchObject({ first_name: text, unsafe_metadata: { [text]: [text] } });
  });

  test('of a signed-in browser is refused: one session at a time', async () => {
    const { browser } = await instance.signUpUser(newAddress());
    const { status, body } = await browser.post(SIGN_UPS, { email_address: newAddress(), password: PASSWORD });
    expect([status, body.errors[0].code]).toEqual([400, 'session_exists']);
  });
});

test('a code that was sent and not needed leaves the address verified', async () => {
  const browser = instance.openBrowser();
  const email = newAddress();
  const { body } = await browser.post(SIGN_UPS, { email_address: email });
  const path = `${SIGN_UPS}/${body.response.id}`;
  await browser.post(`${path}/prepare_verification`, { strategy: 'email_code' });
  const completed = await browser.patch(path, { password: PASSWORD });
  expect(completed.body.response.status).toBe('complete');
  const [created] = await instance.events(email);
  expect(created?.data.email_addresses).toMatchObject([{ verification: { status: 'verified' } }]);
});

describe('verification of a +clerk_test address', () => {
  async function begin() {
    const browser = instance.openBrowser();
    const email = newAddress('+clerk_test');
    const { body } = await browser.post(SIGN_UPS, { email_address: email, password: PASSWORD });
    return { browser, email, path: `${SIGN_UPS}/${body.response.id}`, started: body.response };
  }

  test('is asked for before there is a user or a session', async () => {
    const { email, started, browser } = await begin();
    expect(started).toMatchObject({
      status: 'missing_requirements',
      unverified_fields: ['email_address'],
      created_user_id: null,
      verifications: { email_address: { status: 'unverified', next_action: 'needs_prepare' } },
    });
    expect((await browser.get('/v1/client')).body.response.sessions).toEqual([]);
    expect(await instance.events(email)).toEqual([]);
  });

  test('completes with 424242 and with nothing else', async () => {
    const { browser, path } = await begin();
    await browser.post(`${path}/prepare_verification`, { strategy: 'email_code' });
    const wrong = await browser.post(`${path}/attempt_verification`, { code: '111111' });
    expect([wrong.status, wrong.body.errors[0].code]).toEqual([422, 'form_code_incorrect']);
    const right = await browser.post(`${path}/attempt_verification`, { code: '424242' });
    expect(right.body.response.status).toBe('complete');
    expect(right.body.client.sessions).toHaveLength(1);
  });

  test('fails after five wrong codes, until a new one is sent', async () => {
    const { browser, path } = await begin();
    await browser.post(`${path}/prepare_verification`);
    for (let count = 0; count < 5; count++) await browser.post(`${path}/attempt_verification`, { code: '0' });
    const late = await browser.post(`${path}/attempt_verification`, { code: '424242' });
    expect([late.status, late.body.errors[0].code]).toEqual([400, 'verification_failed']);
    await browser.post(`${path}/prepare_verification`);
    const fresh = await browser.post(`${path}/attempt_verification`, { code: '424242' });
    expect(fresh.body.response.status).toBe('complete');
  });

  test('belongs to the browser that began it', async () => {
    const { path } = await begin();
    const { status } = await instance.openBrowser().post(`${path}/attempt_verification`, { code: '424242' });
    expect(status).toBe(404);
  });
});
