// A checkout while an administrator impersonates the user, as Clerk's dashboard offers: the administrator's cookie is not the user's click.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { mountCheckoutRoute } from './support/checkout-route';

let session: { userId: string; actor?: { sub: string } };
let unsafeMetadata: object;

vi.mock('@clerk/nextjs/server', () => ({
  auth: async () => session,
  currentUser: async () => ({ id: session.userId, primaryEmailAddress: null, unsafeMetadata }),
}));
vi.mock('next/headers', () => ({ cookies: async () => new Map([['svc_click_id', { value: 'clk_of_the_browser' }]]) }));

const { choosePlan, sessionsOf } = mountCheckoutRoute();

const actor = { sub: 'user_administrator' };
const signedUpWith = { svc_click_id: 'clk_of_the_sign_up' };

test.each([
  ['the user, referred', {}, signedUpWith, 'clk_of_the_browser'],
  ['an administrator, for a user who was referred', { actor }, signedUpWith, 'clk_of_the_sign_up'],
  ['an administrator, for a user who was not', { actor }, {}, undefined],
])('paid by %s', async (_, impersonation, metadata, clickId) => {
  session = { userId: `user_${randomUUID()}`, ...impersonation };
  unsafeMetadata = metadata;
  await choosePlan();
  const [opened] = sessionsOf(session.userId);
  expect(opened?.metadata?.svc_customer_key).toBe(session.userId);
  expect(opened?.metadata?.svc_click_id).toBe(clickId);
});
