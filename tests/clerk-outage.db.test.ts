// While Clerk's API is down: a checkout, where the session token, which is verified locally, identifies the buyer, and reconciliation.
import { randomUUID } from 'node:crypto';
import { ClerkAPIResponseError } from '@clerk/nextjs/errors';
import { expect, test, vi } from 'vitest';
import { mountCheckoutRoute } from './support/checkout-route';

let userId: string;
/** A request without a response, for longer than anything waits. */
const hang = () => {
  queueMicrotask(() => vi.advanceTimersByTime(10_000));
  return new Promise<never>(() => {});
};
/** What Clerk's API does when it is asked for the user. */
let readUser: () => Promise<never>;
const refuseWith = (status: number) => async () => {
  throw new ClerkAPIResponseError('down', { data: [], status });
};

vi.mock('@clerk/nextjs/server', () => ({
  auth: async () => ({ userId }),
  currentUser: () => readUser(),
  clerkClient: async () => ({ users: { getUserList: hang } }),
}));
vi.mock('next/headers', () => ({ cookies: async () => new Map([['svc_click_id', { value: 'clk_1' }]]) }));

const { choosePlan, sessionsOf } = mountCheckoutRoute();

async function checkout(respond: () => Promise<never>): Promise<string | null> {
  [readUser, userId] = [respond, `user_${randomUUID()}`];
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const location = await choosePlan();
  expect(error).toHaveBeenCalledOnce();
  error.mockRestore();
  return location;
}

test.each([
  ['responds 429', refuseWith(429)],
  ['responds 503', refuseWith(503)],
  ['does not respond', hang],
])('where Clerk %s, the customer can pay, and the click of the cookie counts', async (_, respond) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const location = await checkout(respond).finally(() => vi.useRealTimers());
  expect(sessionsOf(userId)).toMatchObject([
    { url: location, metadata: { svc_customer_key: userId, svc_click_id: 'clk_1' } },
  ]);
});

test('a user who was deleted since the token was issued cannot pay', async () => {
  expect(await checkout(refuseWith(404))).toBe('/checkout?plan=studio_monthly&problem=payment');
  expect(sessionsOf(userId)).toEqual([]);
});

test('where Clerk does not respond, reconciliation ends and says so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { explainClerkFailure, reconcile } = await import('@/lib/integration/clerk/reconcile');
  const error: unknown = await reconcile(new Date()).catch((reason: unknown) => reason);
  vi.useRealTimers();
  expect(explainClerkFailure(error)).toBe('clerk_unavailable');
});
