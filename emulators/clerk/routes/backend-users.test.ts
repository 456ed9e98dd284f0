import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@clerk/backend/webhooks';
import { describe, expect, test } from 'vitest';
import { newAddress, PASSWORD, useInstance } from '../testing/instance';

const instance = useInstance();

const users = () => instance.sdk.users;

/** A user without a password, who could sign in by email code. */
const newUser = (over: Partial<Parameters<ReturnType<typeof users>['createUser']>[0]> = {}) =>
  users().createUser({ emailAddress: [newAddress()], skipPasswordRequirement: true, ...over });

describe('the Backend API', () => {
  test('needs the secret key', async () => {
    const { userId } = await instance.signUpUser(newAddress());
    const { clerkSecretKey: key } = instance.emulator.secrets;
    const statusWith = async (authorization: string | null) => {
      const headers = authorization === null ? {} : { authorization };
      return (await fetch(`${instance.url}/v1/users/${userId}`, { headers })).status;
    };
    for (const wrong of [null, 'Bearer ', 'Bearer sk_live_other', key]) expect(await statusWith(wrong)).toBe(401);
    expect(await statusWith(`Bearer ${key}`)).toBe(200);
  });

  test('pages through the users of a time without repeating or skipping one', async () => {
    const start = Date.UTC(2020, 0, 1);
    const made = await Promise.all(Array.from({ length: 5 }, () => newUser({ createdAt: new Date(start) })));
    const window = { createdAtAfter: start - 1, createdAtBefore: start + 1, orderBy: '+created_at' } as const;
    const { totalCount } = await users().getUserList(window);
    expect(totalCount).toBe(5);
    const seen: string[] = [];
    for (let offset = 0; offset < totalCount; offset += 2) {
      const { data } = await users().getUserList({ ...window, limit: 2, offset });
      seen.push(...data.map(({ id }) => id));
    }
    expect(seen.toSorted()).toEqual(made.map(({ id }) => id).sort());
  });

  test('lists newest first unless asked otherwise, and finds by ID, by address and by text', async () => {
    const email = newAddress();
    const first = await newUser({ createdAt: new Date(1_000) });
    const second = await newUser({ emailAddress: [email], firstName: 'Augusta', externalId: 'ext_1' });
    const idsOf = async (query: Parameters<ReturnType<typeof users>['getUserList']>[0]) =>
      (await users().getUserList(query)).data.map(({ id }) => id);
    const userId = [first.id, second.id];
    expect(await idsOf({ userId })).toEqual([second.id, first.id]);
    expect(await idsOf({ userId, orderBy: '+created_at' })).toEqual([first.id, second.id]);
    expect(await idsOf({ emailAddress: [email.toUpperCase()] })).toEqual([second.id]);
    expect(await idsOf({ externalId: ['ext_1'] })).toEqual([second.id]);
    expect(await idsOf({ query: 'august' })).toEqual([second.id]);
  });

  test.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'offset=-1',
    'order_by=secret',
    'order_by=-last_active_at',
    'user_id=-user_1',
    Array.from({ length: 101 }, (_, index) => `user_id=user_${index}`).join('&'),
    'created_at_after=never',
    'banned=true',
  ])('refuses %s', async (query) => {
    expect((await instance.backend('GET', `/v1/users?${query}`)).status).toBe(422);
  });

  test('creates a user who can sign in, and reports them', async () => {
    const email = newAddress();
    const user = await users().createUser({ emailAddress: [email], password: PASSWORD, publicMetadata: { role: 'x' } });
    expect(user).toMatchObject({ passwordEnabled: true, publicMetadata: { role: 'x' } });
    expect((await instance.events(email)).map(({ type }) => type)).toEqual(['user.created']);
    const browser = instance.openBrowser();
    const done = await browser.post('/v1/client/sign_ins', { identifier: email, password: PASSWORD });
    expect(done.body.response.status).toBe('complete');
    await expect(newUser({ emailAddress: [email] })).rejects.toMatchObject({
      errors: [{ code: 'form_identifier_exists' }],
    });
  });

  test('requires a password as the instance does, unless told otherwise', async () => {
    await expect(users().createUser({ emailAddress: [newAddress()] })).rejects.toMatchObject({
      status: 422,
      errors: [{ code: 'form_data_missing', message: expect.stringContaining('["password"]') }],
    });
    expect(await newUser()).toMatchObject({ passwordEnabled: false });
    await expect(newUser({ password: 'short' })).rejects.toMatchObject({
      errors: [{ code: 'form_password_length_too_short' }],
    });
    expect(await newUser({ password: 'short', skipPasswordChecks: true })).toMatchObject({ passwordEnabled: true });
  });

  test('sets a password, and signs the user out everywhere where asked', async () => {
    const email = newAddress();
    const { userId, browser } = await instance.signUpUser(email);
    const signIn = async (password: string) =>
      (await instance.openBrowser().post('/v1/client/sign_ins', { identifier: email, password })).status;
    await users().updateUser(userId, { password: 'another horse 43' });
    expect([await signIn(PASSWORD), await signIn('another horse 43')]).toEqual([422, 200]);
    expect((await browser.get('/v1/client')).body.response.sessions).toHaveLength(1);
    await users().updateUser(userId, { password: 'a third horse 44', signOutOfOtherSessions: true });
    expect((await browser.get('/v1/client')).body.response.sessions).toEqual([]);
    await expect(users().updateUser(userId, { password: 'short' })).rejects.toMatchObject({ status: 422 });
  });

  test('gives an external ID to one user', async () => {
    const email = newAddress();
    const [one, other] = [
      await newUser({ externalId: 'ext_2', emailAddress: [email] }),
      await newUser({ externalId: 'ext_3' }),
    ];
    const taken = { status: 422, errors: [{ code: 'form_identifier_exists', meta: { paramName: 'external_id' } }] };
    await expect(newUser({ externalId: 'ext_2' })).rejects.toMatchObject(taken);
    await expect(users().updateUser(other.id, { externalId: 'ext_2' })).rejects.toMatchObject(taken);
    expect(await users().updateUser(one.id, { externalId: 'ext_2', firstName: 'Ada' })).toMatchObject({
      externalId: 'ext_2',
    });
    await users().updateUser(one.id, { externalId: 'ext_4' });
    expect(await users().updateUser(other.id, { externalId: 'ext_2' })).toMatchObject({ externalId: 'ext_2' });
    expect(await users().deleteUser(one.id)).not.toHaveProperty('externalId');
    expect((await instance.events(email)).at(-1)?.data).toEqual({
      ...{ object: 'user', id: one.id, deleted: true, external_id: 'ext_4' },
    });
    expect(await newUser({ externalId: 'ext_4' })).toMatchObject({ externalId: 'ext_4' });
  });

  test('refuses what an update does not cover by its name, and changes nothing', async () => {
    const { id } = await newUser({ firstName: 'Ada' });
    for (const [params, name] of [
      [{ username: 'ada' }, 'username'],
      [{ locale: 'de-DE' }, 'locale'],
      [{ deleteSelfEnabled: false }, 'delete_self_enabled'],
    ] as const) {
      await expect(users().updateUser(id, { firstName: 'Grace', ...params })).rejects.toMatchObject({
        errors: [{ message: `The Clerk emulator does not cover users with ${name}.` }],
      });
    }
    expect(await users().getUser(id)).toMatchObject({ firstName: 'Ada' });
    const { status } = await instance.backend('PATCH', `/v1/users/${id}/metadata`, { first_name: 'Grace' });
    expect(status).toBe(422);
  });

  test('limits metadata to 8 KiB as it is after a merge', async () => {
    const { id } = await newUser({ publicMetadata: { half: 'x'.repeat(5_000) } });
    const add = (size: number) => users().updateUserMetadata(id, { publicMetadata: { other: 'x'.repeat(size) } });
    await expect(add(5_000)).rejects.toMatchObject({
      errors: [{ code: 'form_param_exceeds_allowed_size', meta: { paramName: 'public_metadata' } }],
    });
    expect((await add(3_000)).publicMetadata).toHaveProperty('other');
  });

  test('says what it does not cover, in its own name', async () => {
    await expect(newUser({ username: 'ada' })).rejects.toMatchObject({
      errors: [{ message: 'The Clerk emulator does not cover users with username.' }],
    });
    await expect(instance.sdk.organizations.getOrganizationList()).rejects.toMatchObject({
      status: 404,
      errors: [{ message: expect.stringContaining('The Clerk emulator does not cover GET') }],
    });
  });

  test('merges metadata on one endpoint and replaces it on the other', async () => {
    const { userId } = await instance.signUpUser(newAddress(), { unsafe_metadata: '{"referrer":"ref_4"}' });
    const merged = await users().updateUserMetadata(userId, {
      publicMetadata: { role: 'operator' },
      unsafeMetadata: { color: 'red' },
    });
    expect(merged.publicMetadata).toEqual({ role: 'operator' });
    expect(merged.unsafeMetadata).toEqual({ referrer: 'ref_4', color: 'red' });
    const replaced = await users().updateUser(userId, { unsafeMetadata: {}, firstName: 'Ada' });
    expect([replaced.unsafeMetadata, replaced.firstName]).toEqual([{}, 'Ada']);
  });

  test('deletes a user, once, with the session and the attempts', async () => {
    const email = newAddress();
    const { userId, browser } = await instance.signUpUser(email);
    expect(await users().deleteUser(userId)).toMatchObject({ id: userId, deleted: true });
    await expect(users().deleteUser(userId)).rejects.toMatchObject({ status: 404 });
    expect((await browser.get('/v1/client')).body.response.sessions).toEqual([]);
    const kept = await instance.emulator.database.query((sql) =>
      sql('SELECT type FROM object WHERE data::text LIKE $1', [`%${email}%`]),
    );
    expect(kept).toEqual([]);
    expect((await instance.signUpUser(email)).userId).not.toBe(userId);
  });

  test('takes a NUL for no ID at all', async () => {
    expect((await instance.backend('GET', '/v1/users/user_%00')).status).toBe(404);
    expect((await instance.backend('GET', '/v1/users?user_id=%00')).status).toBe(404);
  });
});

describe('webhooks', () => {
  const received: Request[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    received.push(new Request('http://app.test/', { method: 'POST', headers, body: Buffer.concat(chunks) }));
    response.end();
  }).listen(0, 'localhost');
  const target = () => `http://localhost:${(server.address() as AddressInfo).port}/hooks/clerk`;

  test("arrive at the app's path with a signature that Clerk's SDK accepts", async () => {
    const { config, secrets } = instance.emulator;
    config.clerkWebhook = target();
    const { userId } = await instance.signUpUser(newAddress());
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
    const [request] = received;
    const event = request && (await verifyWebhook(request.clone(), { signingSecret: secrets.clerkWebhookSecret }));
    expect(event).toMatchObject({ type: 'user.created', data: { id: userId } });
    const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
    await expect(request && verifyWebhook(request, { signingSecret: other })).rejects.toThrow();
    server.close();
  });

  test('are not sent where the instance has no target', async () => {
    instance.emulator.config.clerkWebhook = null;
    const email = newAddress();
    await instance.signUpUser(email);
    expect(await instance.events(email)).toEqual([]);
  });
});

test('a password is verified, another address becomes the primary one, and a user is in no organization', async () => {
  const user = await newUser({ password: PASSWORD });
  const verify = (password: string) => users().verifyPassword({ userId: user.id, password });
  expect(await verify(PASSWORD)).toEqual({ verified: true });
  await expect(verify('wrong password')).rejects.toMatchObject({ status: 422 });
  const primaryEmailAddressID = user.primaryEmailAddressId ?? '';
  expect(await users().updateUser(user.id, { primaryEmailAddressID })).toMatchObject({ id: user.id });
  await expect(users().updateUser(user.id, { primaryEmailAddressID: 'idn_other' })).rejects.toMatchObject({
    status: 422,
  });
  const memberships = await users().getOrganizationMembershipList({ userId: user.id });
  expect(memberships).toMatchObject({ data: [], totalCount: 0 });
});

test('users are found by a part of their address or of their name', async () => {
  const address = newAddress();
  const { id } = await newUser({ emailAddress: [address], firstName: 'Grace', lastName: 'Hopper' });
  const found = async (query: object) => (await users().getUserList(query)).data.map((user) => user.id);
  expect(await found({ emailAddressQuery: address.slice(3, 20) })).toEqual([id]);
  expect(await found({ nameQuery: 'grace hop' })).toEqual([id]);
  expect(await found({ nameQuery: address.slice(3, 20) })).toEqual([]);
});
