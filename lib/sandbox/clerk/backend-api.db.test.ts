import { beforeAll, describe, expect, test } from 'vitest';
import { handleClerkRequest } from './handle-request';
import { callBackend, ORIGIN, openBrowser, signUpUser } from './testing/browser';
import { newAddress, setUpClerk } from './testing/set-up';

beforeAll(setUpClerk);

const ids = (reply: { body: { id: string }[] }) => reply.body.map(({ id }) => id);

describe('the Backend API', () => {
  test('needs the secret key', async () => {
    const { userId } = await signUpUser(newAddress());
    for (const authorization of [null, 'Bearer ', 'Bearer sk_live_other', process.env.CLERK_SECRET_KEY ?? '']) {
      const request = new Request(`${ORIGIN}/sandbox/clerk/v1/users/${userId}`, {
        headers: authorization === null ? {} : { authorization },
      });
      const response = await handleClerkRequest(request, ['v1', 'users', userId], () => {});
      expect(response.status).toBe(401);
    }
  });

  test('pages through the users of a time without repeating or skipping one', async () => {
    const after = Date.now() - 1;
    const made = await Promise.all(Array.from({ length: 5 }, () => signUpUser(newAddress())));
    const before = Date.now() + 1;
    const wanted = made.map(({ userId }) => userId).sort();
    const window = `created_at_after=${after}&created_at_before=${before}&order_by=%2Bcreated_at`;
    const { total_count: total } = (await callBackend('GET', `/v1/users/count?${window}`)).body;
    const seen: string[] = [];
    for (let offset = 0; offset < total; offset += 2) {
      seen.push(...ids(await callBackend('GET', `/v1/users?${window}&limit=2&offset=${offset}`)));
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => wanted.includes(id)).sort()).toEqual(wanted);
  });

  test('lists newest first unless asked otherwise, and finds by ID and by address', async () => {
    const email = newAddress();
    const first = await signUpUser(newAddress());
    const second = await signUpUser(email);
    const both = `user_id=${first.userId}&user_id=${second.userId}`;
    expect(ids(await callBackend('GET', `/v1/users?${both}`))).toEqual([second.userId, first.userId]);
    expect(ids(await callBackend('GET', `/v1/users?${both}&order_by=%2Bcreated_at`))).toEqual([
      first.userId,
      second.userId,
    ]);
    expect(ids(await callBackend('GET', `/v1/users?email_address=${email.toUpperCase()}`))).toEqual([second.userId]);
  });

  test.each(['limit=0', 'limit=501', 'limit=x', 'offset=-1', 'order_by=secret', 'created_at_after=never'])(
    'refuses %s',
    async (query) => {
      expect((await callBackend('GET', `/v1/users?${query}`)).status).toBe(422);
    },
  );

  test('merges metadata on one endpoint and replaces it on the other', async () => {
    const { userId } = await signUpUser(newAddress(), { unsafe_metadata: '{"svc_click_id":"clk_4"}' });
    const merged = await callBackend('PATCH', `/v1/users/${userId}/metadata`, {
      public_metadata: { role: 'operator' },
      unsafe_metadata: { colour: 'red' },
    });
    expect(merged.body).toMatchObject({
      public_metadata: { role: 'operator' },
      unsafe_metadata: { svc_click_id: 'clk_4', colour: 'red' },
    });
    const replaced = await callBackend('PATCH', `/v1/users/${userId}`, { unsafe_metadata: {} });
    expect(replaced.body.unsafe_metadata).toEqual({});
  });

  test('deletes a user, once', async () => {
    const { userId, browser } = await signUpUser(newAddress());
    expect((await callBackend('DELETE', `/v1/users/${userId}`)).body).toMatchObject({ id: userId, deleted: true });
    expect((await callBackend('DELETE', `/v1/users/${userId}`)).status).toBe(404);
    expect((await browser.get('/v1/client')).body.response.sessions).toEqual([]);
  });
});

describe('the wall around the sandbox', () => {
  const answerWith = async (env: Record<string, string>) => {
    const before = { ...process.env };
    Object.assign(process.env, env);
    try {
      return (await openBrowser().get('/v1/environment')).status;
    } finally {
      process.env = before;
    }
  };

  test('answers while Clerk has no keys', async () => {
    expect(await answerWith({})).toBe(200);
  });

  test('is 404 beside real keys, even with SANDBOX=on', async () => {
    expect(await answerWith({ CLERK_SECRET_KEY: 'sk_test_real' })).toBe(404);
  });

  test('is 404 for an unknown path, and for a browser of another origin it is an error', async () => {
    expect((await openBrowser().get('/v1/nothing')).status).toBe(404);
    const request = new Request(`${ORIGIN}/sandbox/clerk/v1/client/sign_ups`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', host: 'localhost:9' },
      body: new URLSearchParams({ email_address: newAddress() }),
    });
    const response = await handleClerkRequest(request, ['v1', 'client', 'sign_ups'], () => {});
    expect([response.status, (await response.json()).errors[0].code]).toEqual([400, 'origin_invalid']);
  });

  test('takes a NUL for no ID at all', async () => {
    expect((await callBackend('GET', '/v1/users/user_%00')).status).toBe(404);
    expect((await callBackend('GET', '/v1/users?user_id=%00')).status).toBe(404);
  });

  test('takes no body over 64 KiB', async () => {
    const { status } = await openBrowser().post('/v1/client/sign_ups', { email_address: 'x'.repeat(70_000) });
    expect(status).toBe(413);
  });
});
