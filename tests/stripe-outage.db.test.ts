// What the shop's forms do when Stripe does not respond. Clerk and Next are told what a request would tell them; all else is real.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const userId = `user_${randomUUID()}`;
vi.mock('@clerk/nextjs/server', () => ({
  auth: async () => ({ userId }),
  currentUser: async () => ({ id: userId, primaryEmailAddress: null, unsafeMetadata: {} }),
}));

vi.mock('next/headers', () => ({ cookies: async () => new Map() }));

const APP_URL = 'https://shop.example';

beforeAll(async () => {
  vi.stubEnv('APP_URL', APP_URL);
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', 'prg_demo');
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', 'https://svc.example.com');
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_outage');
  vi.stubEnv('STRIPE_API_URL', 'http://localhost:1'); // a port without a server
  vi.resetModules();
  const { database } = await import('@/prisma/client');
  await database().shopCustomer.create({ data: { userId, stripeCustomerId: `cus_${randomUUID()}` } });
});

afterAll(() => {
  vi.doUnmock('@clerk/nextjs/server');
  vi.doUnmock('next/headers');
  vi.unstubAllEnvs();
  vi.resetModules();
});

const formOf = (fields: Record<string, string>) =>
  new Request(APP_URL, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  });

test.each([
  ['checkout', { plan: 'studio_lifetime' }, '/checkout?plan=studio_lifetime&problem=payment'],
  ['checkout', { plan: 'studio_monthly' }, '/checkout?plan=studio_monthly&problem=payment'],
  ['billing', {}, '/account?problem=billing'],
])('/api/%s with %j leads back to a page that says so, and logs no message of Stripe’s', async (name, fields, back) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { POST } = await import(`../app/(shop)/api/${name}/route.ts`);
  const response: Response = await POST(formOf(fields));
  expect([response.status, response.headers.get('location')]).toEqual([303, back]);
  expect(log.mock.calls).toEqual([[expect.stringMatching(/^\w+ failed error="\w*Error" at="at [^"]+"$/)]]);
  log.mockRestore();
});

// part: demo
test('a bank transfer needs no Stripe', async () => {
  const { POST } = await import('@/app/(shop)/api/bank-transfer/route');
  const response: Response = await POST(formOf({ plan: 'studio_yearly' }));
  expect([response.status, response.headers.get('location')]).toEqual([303, '/account']);
});

test('nor does one for what the customer has: it places no order, and leads to the plans', async () => {
  const [{ POST }, { database }] = await Promise.all([
    import('@/app/(shop)/api/bank-transfer/route'),
    import('@/prisma/client'),
  ]);
  const paid = { invoiceId: `LD-${randomUUID()}`, userId, plan: 'studio_lifetime', amount: 39_900, currency: 'usd' };
  await database().shopTransfer.create({ data: { ...paid, requestedAt: new Date(), paidAt: new Date() } });
  const response: Response = await POST(formOf({ plan: 'studio_lifetime' }));
  expect([response.status, response.headers.get('location')]).toEqual([303, '/account/plans']);
  expect(await database().shopTransfer.count({ where: { userId, plan: 'studio_lifetime' } })).toBe(1);
});
// end: demo
