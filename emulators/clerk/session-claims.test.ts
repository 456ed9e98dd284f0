import { verifyToken } from '@clerk/backend';
import { expect, test } from 'vitest';
import { claimsProblem } from './session-claims';
import { newAddress, useInstance } from './testing/instance';

const instance = useInstance({
  sessionClaims: {
    metadata: '{{user.public_metadata}}',
    role: "{{user.public_metadata.role || 'member'}}",
    greeting: 'Hello {{user.first_name}} {{ user.last_name }}',
    profile: { email: '{{user.primary_email_address}}', verified: '{{user.email_verified}}' },
    none: '{{user.public_metadata.none.deeper}}',
    fixed: 1,
  },
});

test('the session token has the claims of the instance, as they are when it is issued', async () => {
  const email = newAddress();
  const fields = { first_name: 'Ada', last_name: 'Keller' };
  const { browser, userId, sessionId } = await instance.signUpUser(email, fields);
  const claims = async () => {
    const { body } = await browser.post(`/v1/client/sessions/${sessionId}/tokens`);
    return verifyToken(body.jwt, { secretKey: instance.emulator.secrets.clerkSecretKey, apiUrl: instance.url });
  };
  expect(await claims()).toMatchObject({
    sub: userId,
    metadata: {},
    role: 'member',
    greeting: 'Hello Ada Keller',
    profile: { email, verified: true },
    none: null,
    fixed: 1,
  });
  await instance.sdk.users.updateUserMetadata(userId, { publicMetadata: { role: 'admin', onboarded: true } });
  expect(await claims()).toMatchObject({ role: 'admin', metadata: { role: 'admin', onboarded: true } });
});

test("claims are an object, and none of Clerk's own", () => {
  expect(claimsProblem({ metadata: '{{user.public_metadata}}' })).toBeNull();
  expect(claimsProblem(['metadata'])).toContain('object');
  expect(claimsProblem({ sub: 'user_1' })).toContain('sub');
});
