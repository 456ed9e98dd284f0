import { describe, expect, test } from 'vitest';
import { type Browser, newAddress, PASSWORD, useInstance } from '../testing/instance';

const instance = useInstance();

const ADDRESSES = '/v1/me/email_addresses';

async function addVerified(browser: Browser, address: string): Promise<string> {
  const { body } = await browser.post(ADDRESSES, { email_address: address });
  const id = String(body.response.id);
  await browser.post(`${ADDRESSES}/${id}/prepare_verification`, { strategy: 'email_code' });
  await browser.post(`${ADDRESSES}/${id}/attempt_verification`, { code: '424242' });
  return id;
}

describe('the account page', () => {
  test('adds an address at the path that clerk-js asks for, which ends with a slash', async () => {
    const { browser } = await instance.signUpUser(newAddress());
    const { status, body } = await browser.post(`${ADDRESSES}/`, { email_address: newAddress() });
    expect([status, body.response?.object]).toEqual([200, 'email_address']);
  });

  test('adds an address, verifies it, makes it the primary one, and removes the old one', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const { browser } = await instance.signUpUser(first);
    const id = await addVerified(browser, second);
    const changed = await browser.patch('/v1/me', { primary_email_address_id: id });
    const old = changed.body.response.email_addresses.find(
      (email: { email_address: string }) => email.email_address === first,
    );
    expect((await browser.remove(`${ADDRESSES}/${old.id}`)).status).toBe(200);
    const { body } = await browser.get('/v1/me');
    expect(body.response.email_addresses).toHaveLength(1);
    expect(body.response.primary_email_address_id).toBe(id);
    const events = await instance.events(second);
    expect(events.at(-1)).toMatchObject({ type: 'user.updated', data: { primary_email_address_id: id } });
  });

  test('does not make an unverified address the primary one, nor removes the primary one', async () => {
    const { browser } = await instance.signUpUser(newAddress());
    const { body } = await browser.post(ADDRESSES, { email_address: newAddress() });
    expect((await browser.patch('/v1/me', { primary_email_address_id: body.response.id })).status).toBe(422);
    const me = await browser.get('/v1/me');
    expect((await browser.remove(`${ADDRESSES}/${me.body.response.primary_email_address_id}`)).status).toBe(400);
  });

  test('an address that is not verified stays free for another user', async () => {
    const wanted = newAddress();
    const squatter = await instance.signUpUser(newAddress());
    await squatter.browser.post(ADDRESSES, { email_address: wanted });
    const { userId } = await instance.signUpUser(wanted);
    expect(userId).toMatch(/^user_/);
    const { body } = await squatter.browser.get('/v1/me');
    const { id } = body.response.email_addresses[1];
    await squatter.browser.post(`${ADDRESSES}/${id}/prepare_verification`, { strategy: 'email_code' });
    const late = await squatter.browser.post(`${ADDRESSES}/${id}/attempt_verification`, { code: '424242' });
    expect([late.status, late.body.errors[0].code]).toEqual([422, 'form_identifier_exists']);
  });

  test('changes the password against the current one, and signs the other devices out where asked', async () => {
    const email = newAddress();
    const { browser } = await instance.signUpUser(email);
    const other = instance.openBrowser();
    await other.post('/v1/client/sign_ins', { identifier: email, password: PASSWORD });
    const path = '/v1/me/change_password';
    const wrong = await browser.post(path, { current_password: 'nope nope', new_password: 'another horse 43' });
    expect(wrong.body.errors[0]).toMatchObject({
      code: 'form_password_incorrect',
      meta: { param_name: 'current_password' },
    });
    const change = { current_password: PASSWORD, new_password: 'another horse 43', sign_out_of_other_sessions: 'true' };
    expect((await browser.post(path, change)).status).toBe(200);
    expect((await other.get('/v1/client')).body.response.sessions).toEqual([]);
    const again = await other.post('/v1/client/sign_ins', { identifier: email, password: 'another horse 43' });
    expect(again.body.response.status).toBe('complete');
  });

  test('writing unsafe_metadata replaces the whole object; the metadata endpoint merges', async () => {
    const { browser } = await instance.signUpUser(newAddress(), { unsafe_metadata: '{"referrer":"ref_3"}' });
    const merged = await browser.patch('/v1/me/metadata', { unsafe_metadata: '{"color":"red"}' });
    expect(merged.body.response.unsafe_metadata).toEqual({ referrer: 'ref_3', color: 'red' });
    const replaced = await browser.patch('/v1/me', { unsafe_metadata: '{"color":"blue"}' });
    expect(replaced.body.response.unsafe_metadata).toEqual({ color: 'blue' });
    const half = (key: string) => ({ unsafe_metadata: JSON.stringify({ [key]: 'x'.repeat(5_000) }) });
    expect((await browser.patch('/v1/me/metadata', half('one'))).status).toBe(200);
    expect((await browser.patch('/v1/me/metadata', half('other'))).status).toBe(422);
  });

  test('deletes the user, signs them out, and reports it', async () => {
    const email = newAddress();
    const { browser, userId } = await instance.signUpUser(email);
    const { body } = await browser.remove('/v1/me');
    expect(body.response).toEqual({ object: 'user', id: userId, deleted: true });
    expect(body.client.sessions).toEqual([]);
    expect((await instance.backend('GET', `/v1/users/${userId}`)).status).toBe(404);
    expect((await instance.events(email)).map(({ type, data }) => [type, data.id])).toEqual([
      ['user.created', userId],
      ['user.deleted', userId],
    ]);
  });

  test('is closed to a browser that is signed out', async () => {
    const { status, body } = await instance.openBrowser().get('/v1/me');
    expect([status, body.errors[0].code]).toEqual([401, 'authentication_invalid']);
  });
});
