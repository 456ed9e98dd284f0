// What an app sold before it copied the integration: the recipe "Existing subscriptions" of docs/recipes.md.
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { enqueue } from '@/lib/integration/outbox/store';
import { database } from '@/prisma/client';
import { type StripeApi, startStripeApi } from './support/stripe-api';
import { idOf, sessionOf, subscriptionOf } from './support/stripe-objects';

let stripe: StripeApi;
let { backfillPurchases, backfillSubscriptions } = {} as typeof import('@/examples/recipes/backfill/backfill');
let { readCustomer } = {} as typeof import('@/lib/integration/stripe/customer');
let { findEntitlement } = {} as typeof import('@/lib/integration/stripe/holdings');

beforeAll(async () => {
  stripe = await startStripeApi();
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', '123');
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', 'https://svc.example.com');
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_backfill');
  vi.stubEnv('STRIPE_API_URL', stripe.url);
  vi.resetModules();
  ({ backfillPurchases, backfillSubscriptions } = await import('@/examples/recipes/backfill/backfill'));
  ({ readCustomer } = await import('@/lib/integration/stripe/customer'));
  ({ findEntitlement } = await import('@/lib/integration/stripe/holdings'));
});
beforeEach(() => stripe.clear()); // a backfill reads everything that Stripe has
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await stripe.stop();
});

/** All pages of a backfill. */
async function backfill<Sold>(
  readPage: (findUser: (sold: Sold) => Promise<string | null>, after: string | null) => Promise<string | null>,
  findUser: (sold: Sold) => Promise<string | null> = async () => null,
) {
  let after: string | null = null;
  do after = await readPage(findUser, after);
  while (after);
}

describe('subscriptions', () => {
  test('a backfill stores existing subscriptions and their users, page by page, and is safe to re-run', async () => {
    const [keyed, found, nobodys] = [idOf('user'), idOf('user'), null];
    const ids = [keyed, found, nobodys].map((user, index) => {
      const [id, customer] = [idOf('sub'), idOf('cus')];
      const metadata = index === 0 ? { svc_customer_key: user } : {};
      stripe.put(
        'subscriptions',
        subscriptionOf(id, customer, { metadata, status: index === 2 ? 'canceled' : 'active' }),
      );
      return id;
    });
    for (let newer = 0; newer < 50; newer++) stripe.put('subscriptions', subscriptionOf(idOf('sub'), idOf('cus')));
    const findUser = async ({ id }: Stripe.Subscription) => (id === ids[1] ? found : null);
    for (let repeat = 0; repeat < 2; repeat++) await backfill(backfillSubscriptions, findUser);
    const rows = await database().shopSubscription.findMany({ where: { id: { in: ids } } });
    expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
      new Map(ids.map((id, index) => [id, index === 2 ? 'canceled' : 'active'])),
    );
    const planOf = async (user: string) => (await findEntitlement(user))?.plan;
    expect([await planOf(keyed), await planOf(found)]).toEqual(['studio_monthly', 'studio_monthly']);
  });

  test('a backfill names what runs without a plan or a known user, and nothing else', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const unknown = { items: { data: [{ price: { lookup_key: 'an old price', metadata: {} } }] } };
    const [running, ended, known, copied, foreign, past] = Array.from({ length: 6 }, () => idOf('sub'));
    const [userId, customer] = [idOf('user'), idOf('cus')];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: customer } });
    const put = (id = '', owner = idOf('cus'), fields = {}) =>
      stripe.put('subscriptions', subscriptionOf(id, owner, fields));
    put(running, idOf('cus'), unknown);
    put(ended, idOf('cus'), { ...unknown, status: 'canceled' });
    put(known, idOf('cus'), { metadata: { svc_customer_key: idOf('user') } });
    put(copied, customer);
    put(foreign);
    put(past, idOf('cus'), { status: 'canceled' });
    await backfill(backfillSubscriptions);
    const logged = warn.mock.calls.flat().map(String);
    warn.mockRestore();
    const linesAbout = (id = '') => logged.filter((line) => line.includes(id));
    expect(linesAbout(running)).toEqual([expect.stringContaining('runs without a plan')]);
    expect(linesAbout(foreign)).toEqual([expect.stringContaining('runs for no known user')]);
    for (const id of [ended, known, copied, past]) expect(linesAbout(id)).toEqual([]);
  });

  test.each([
    ['deleted', 'canceled'],
    ['kept', 'active'],
  ])('a backfill ends the billing of a user who was %s: %s', async (fate, status) => {
    const [userId, other, id, ended, theirs] = [idOf('user'), idOf('user'), idOf('sub'), idOf('sub'), idOf('sub')];
    const [customer, otherCustomer] = [idOf('cus'), idOf('cus')];
    await database().shopCustomer.create({ data: { userId: other, stripeCustomerId: otherCustomer } });
    if (fate === 'deleted') {
      await enqueue(idOf('msg'), { kind: 'erasure', customerExternalId: userId }, new Date());
    }
    stripe.put('subscriptions', subscriptionOf(id, customer));
    stripe.put('subscriptions', subscriptionOf(ended, customer, { status: 'incomplete_expired' }));
    stripe.put('subscriptions', subscriptionOf(theirs, otherCustomer));
    await backfill(backfillSubscriptions, async (found) => ([id, ended, theirs].includes(found.id) ? userId : null));
    const statuses = new Map(stripe.all<Stripe.Subscription>('subscriptions').map((found) => [found.id, found.status]));
    expect([id, ended, theirs].map((each) => statuses.get(each))).toEqual([status, 'incomplete_expired', 'active']);
  });

  test.each([
    ['a canceled subscription', { status: 'canceled' }],
    ['a subscription to another product', { items: { data: [{ price: { lookup_key: null, metadata: {} } }] } }],
  ])('of a user’s two Stripe customers a backfill keeps the one that pays, not the one with %s', async (_, other) => {
    for (const isPayingNewer of [true, false]) {
      const [userId, paying] = [idOf('user'), idOf('cus')];
      const metadata = { svc_customer_key: userId };
      const subscriptions = [
        subscriptionOf(idOf('sub'), idOf('cus'), { metadata, ...other }),
        subscriptionOf(idOf('sub'), paying, { metadata }),
      ];
      for (const each of isPayingNewer ? subscriptions : subscriptions.toReversed()) stripe.put('subscriptions', each);
      for (let repeat = 0; repeat < 2; repeat++) await backfill(backfillSubscriptions);
      expect(await readCustomer(userId)).toBe(paying);
      expect((await findEntitlement(userId))?.status).toBe('active');
    }
  });

  test.each([
    ['the newer', { status: 'active' }],
    ['the better', { status: 'past_due' }],
  ])('a backfill names both where a user pays as two of them, and keeps %s one', async (_, newer) => {
    const [userId, first, second] = [idOf('user'), idOf('cus'), idOf('cus')];
    const metadata = { svc_customer_key: userId };
    stripe.put('subscriptions', subscriptionOf(idOf('sub'), first, { metadata }));
    stripe.put('subscriptions', subscriptionOf(idOf('sub'), second, { metadata, ...newer }));
    const [kept, left] = newer.status === 'active' ? [second, first] : [first, second];
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    await backfill(backfillSubscriptions);
    const lines = warn.mock.calls.flat().filter((line) => String(line).includes(userId));
    warn.mockRestore();
    expect(lines).toEqual([expect.stringContaining(`kept="${kept}" left="${left}"`)]);
    expect(await readCustomer(userId)).toBe(kept);
  });

  test('a backfill takes no Stripe customer from another user', async () => {
    const [userId, owner, theirs, own] = [idOf('user'), idOf('user'), idOf('cus'), idOf('cus')];
    await database().shopCustomer.create({ data: { userId: owner, stripeCustomerId: theirs } });
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: own } });
    stripe.put('subscriptions', subscriptionOf(idOf('sub'), theirs, { metadata: { svc_customer_key: userId } }));
    await backfill(backfillSubscriptions);
    expect([await readCustomer(owner), await readCustomer(userId)]).toEqual([theirs, own]);
  });
});

describe('plans that are paid once', () => {
  /** A complete session in Stripe's list. */
  function aSale(userId: string | null, fields: object = {}, refunded = 0) {
    const session = { ...sessionOf(idOf('pi')), mode: 'payment', status: 'complete', created: 1_770_000_000 };
    const refunds = { data: refunded ? [{ created: 1_771_000_000, status: 'succeeded' }] : [] };
    const charge = {
      ...{ id: idOf('ch'), amount: 39_900, amount_captured: 39_900, amount_refunded: refunded },
      ...{ created: 1_770_000_000, refunds },
    };
    stripe.put('payment_intents', { id: session.payment_intent ?? '', customer: 'cus', latest_charge: charge });
    const metadata = { plan: 'studio_lifetime', ...(userId && { svc_customer_key: userId }) };
    stripe.put('checkout/sessions', { ...session, metadata, ...fields });
    return { id: session.id, paymentIntentId: session.payment_intent ?? '' };
  }
  const statusOf = async (user: string) => (await findEntitlement(user))?.status;

  test('is stored by a backfill with its user, page by page, which is safe to re-run', async () => {
    const [keyed, found, refunded] = [idOf('user'), idOf('user'), idOf('user')];
    aSale(keyed);
    const { id } = aSale(null);
    aSale(refunded, {}, 39_900);
    for (let index = 0; index < 50; index++) aSale(null, { mode: 'subscription' });
    const findUser = async (session: Stripe.Checkout.Session) => (session.id === id ? found : null);
    for (let repeat = 0; repeat < 2; repeat++) await backfill(backfillPurchases, findUser);
    expect([await statusOf(keyed), await statusOf(found)]).toEqual(['active', 'active']);
    expect(await findEntitlement(refunded)).toMatchObject({
      status: 'refunded',
      endsAt: new Date(1_771_000_000_000),
    });
  });

  test('is named by a backfill if its user is not known', async () => {
    const [known, unknown] = [aSale(idOf('user')), aSale(null)];
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    await backfill(backfillPurchases);
    const logged = warn.mock.calls.flat().join('\n');
    warn.mockRestore();
    expect(logged).toContain(`belongs to no known user session="${unknown.id}"`);
    expect(logged).not.toContain(known.id);
  });

  test('counts for the Stripe customer that its user has', async () => {
    const userId = idOf('user');
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: idOf('cus') } });
    aSale(userId);
    await backfill(backfillPurchases);
    expect(await statusOf(userId)).toBe('active');
  });

  test.each([
    ['another product', { metadata: { plan: 'studio_gold' } }],
    ['a subscription', { mode: 'subscription' }],
    ['no customer', { customer: null }],
    ['a bank debit under way', { payment_status: 'unpaid' }],
  ])('a session of %s is no purchase', async (_, fields) => {
    const { paymentIntentId } = aSale(idOf('user'), fields);
    await backfill(backfillPurchases);
    expect((await database().shopPurchase.findUnique({ where: { paymentIntentId } }))?.paidAt ?? null).toBeNull();
  });
});
