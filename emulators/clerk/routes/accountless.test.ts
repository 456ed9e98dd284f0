import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClerkClient } from '@clerk/backend';
import { expect, test } from 'vitest';
import { newAddress, useInstance } from '../testing/instance';

const instance = useInstance();

/** As @clerk/nextjs does: no key at all. */
const create = () =>
  createClerkClient({ apiUrl: instance.url }).__experimental_accountlessApplications.createAccountlessApplication();

test('without an account a developer gets keys of development form, the same ones each time', async () => {
  const keys = await create();
  expect(keys.publishableKey).toMatch(/^pk_test_/);
  expect(keys.secretKey).toMatch(/^sk_test_/);
  expect(keys.claimUrl).toBe(instance.emulator.config.url);
  expect(await create()).toEqual(keys);
});

test('the keys are of this instance: its host is in the publishable key, and the secret key opens its Backend API', async () => {
  const { publishableKey, secretKey } = await create();
  const hostOf = (key: string) => Buffer.from(key.split('_')[2] ?? '', 'base64').toString();
  expect(hostOf(publishableKey)).toBe(hostOf(instance.emulator.publishableKey));
  const email = newAddress();
  const { userId } = await instance.signUpUser(email);
  const { users } = createClerkClient({ apiUrl: instance.url, secretKey });
  expect((await users.getUserList({ emailAddress: [email] })).data.map(({ id }) => id)).toEqual([userId]);
});

test('completing the onboarding takes the secret key', async () => {
  const complete = (authorization: string) =>
    fetch(`${instance.url}/v1/accountless_applications/complete`, { method: 'POST', headers: { authorization } });
  const { publishableKey, secretKey } = await create();
  expect((await complete('Bearer sk_test_other')).status).toBe(401);
  expect(await (await complete(`Bearer ${secretKey}`)).json()).toMatchObject({ publishable_key: publishableKey });
});

test.each([
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a name of another site that resolves to this machine', { host: 'evil.example:3001' }],
])('%s gets no keys', async (_, headers) => {
  const response = await send(`${instance.url}/v1/accountless_applications`, headers);
  expect(response).toMatchObject({ status: 400, body: { errors: [{ code: 'origin_invalid' }] } });
});

/** `fetch` does not let a program set its Host. */
async function send(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; body: unknown }> {
  const sent = request(url, { method: 'POST', headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await json(response) };
}
