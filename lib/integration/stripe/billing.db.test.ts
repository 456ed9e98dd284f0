import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { type StripeApi, startStripeApi } from '@/tests/support/stripe-api';

const PROGRAM = '123';

let stripe: StripeApi;
let { endBilling } = {} as typeof import('./billing');

beforeAll(async () => {
  stripe = await startStripeApi();
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_end_billing');
  vi.stubEnv('STRIPE_API_URL', stripe.url);
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', PROGRAM);
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', 'https://svc.example.com');
  vi.resetModules();
  ({ endBilling } = await import('./billing'));
});
afterEach(() => stripe.intercept(() => undefined));
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await stripe.stop();
});

const idOf = (prefix: string) => `${prefix}_${randomUUID()}`;

/** A subscription as Stripe has it. */
function aSubscription(customer: string, svc_customer_key?: string, program_id = PROGRAM, created = 0) {
  const id = idOf('sub');
  const items = { data: [{ price: { lookup_key: 'studio_monthly', metadata: {} } }] };
  const metadata = svc_customer_key === undefined ? {} : { svc_customer_key, program_id };
  stripe.put('subscriptions', { id, customer, metadata, items, created, status: 'active' });
  return id;
}

/** A user with a stored Stripe customer. */
async function aUser(userId = idOf('user')) {
  const customer = idOf('cus');
  stripe.put('customers', { id: customer, metadata: {} });
  await database().shopCustomer.create({ data: { userId, stripeCustomerId: customer } });
  return { userId, customer };
}

const statusOf = (id: string) => stripe.all('subscriptions').find((subscription) => subscription.id === id)?.status;
const canceledBy = (id: string) =>
  stripe.requests.filter(({ method, path }) => method === 'DELETE' && path.endsWith(id));

describe('the billing of a deleted user ends, whichever Stripe customer pays', () => {
  test.each([
    ['with two, of which one is stored', true],
    ['with one that is not stored', false],
  ])('for a user %s', async (_, isStored) => {
    const userId = `auth0|o'brien\\${randomUUID()}`;
    const own = isStored ? aSubscription((await aUser(userId)).customer, userId) : null;
    const elsewhere = aSubscription(idOf('cus'), userId);
    const others = [
      aSubscription(idOf('cus'), idOf('user')),
      aSubscription(idOf('cus'), userId.toUpperCase()),
      aSubscription(idOf('cus'), userId, 'another_program'),
    ];
    await endBilling(userId);
    expect([elsewhere, ...others].map(statusOf)).toEqual(['canceled', 'active', 'active', 'active']);
    if (own) expect([statusOf(own), canceledBy(own).length]).toEqual(['canceled', 1]);
  });

  test('where the search is behind, and still has a subscription that is no longer there', async () => {
    const userId = idOf('user');
    const [gone, current] = [idOf('cus'), idOf('cus')].map((customer) => aSubscription(customer, userId));
    stripe.intercept(({ method, path }) => (method === 'DELETE' && path.endsWith(String(gone)) ? 404 : undefined));
    await endBilling(userId);
    expect(statusOf(String(current))).toBe('canceled');
  });

  test('without a search, as for accounts in India, for the stored customer and for what was paid in the last hour', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { userId, customer } = await aUser();
    const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60;
    const ended = [aSubscription(customer), aSubscription(idOf('cus'), userId, PROGRAM, minutesAgo(55))];
    const others = [
      aSubscription(idOf('cus'), userId, PROGRAM, minutesAgo(65)),
      aSubscription(idOf('cus'), idOf('user'), PROGRAM, minutesAgo(1)),
      aSubscription(idOf('cus'), userId, 'another_program', minutesAgo(1)),
    ];
    stripe.intercept(({ path }) => (path === 'subscriptions/search' ? 400 : undefined));
    await endBilling(userId);
    expect(ended.map(statusOf)).toEqual(['canceled', 'canceled']);
    expect(others.map(statusOf)).toEqual(['active', 'active', 'active']);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(userId));
    warn.mockRestore();
  });

  test('not while Stripe does not respond: it is to be sent again', async () => {
    const userId = idOf('user');
    const subscription = aSubscription(idOf('cus'), userId);
    for (const failing of ['subscriptions/search', `subscriptions/${subscription}`]) {
      stripe.intercept(({ path }) => (path === failing ? 500 : undefined));
      await expect(endBilling(userId)).rejects.toThrow();
    }
    stripe.intercept(() => undefined);
    await endBilling(userId);
    expect(statusOf(subscription)).toBe('canceled');
  });
});
