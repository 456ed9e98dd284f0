// Clerk's `user.updated` and `user.deleted` at the shop's route: receipts go to the address of today, and a user who is gone is
// charged for nothing more.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { clerkUser, userCreated, userDeleted, userUpdated } from '@/tests/support/clerk-user';
import { type MisbehavingService, startMisbehavingService } from '@/tests/support/misbehaving-service';
import { signClerk } from '@/tests/support/sign-clerk';
import { type StripeApi, startStripeApi } from '@/tests/support/stripe-api';

const SECRET = `whsec_${Buffer.from('a secret of this test only').toString('base64')}`;

let stripe: StripeApi;
let service: MisbehavingService;
let POST: typeof import('@/app/(shop)/api/webhooks/clerk/route').POST;
let { fulfil } = {} as typeof import('@/lib/integration/stripe/fulfil');
let { findEntitlement } = {} as typeof import('@/lib/integration/stripe/holdings');

beforeAll(async () => {
  [stripe, service] = await Promise.all([startStripeApi(), startMisbehavingService()]);
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', '123');
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', service.baseUrl);
  vi.stubEnv('SVC_API_KEY', service.apiKey);
  vi.stubEnv('NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY', `pk_test_${btoa('clerk.example.com$')}`);
  vi.stubEnv('CLERK_SECRET_KEY', 'sk_test_deleted');
  vi.stubEnv('CLERK_WEBHOOK_SIGNING_SECRET', SECRET);
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_deleted');
  vi.stubEnv('STRIPE_API_URL', stripe.url);
  vi.resetModules();
  vi.doMock('next/server', async (original) => ({ ...(await original<object>()), after: () => undefined })); // it needs Next's server
  ({ POST } = await import('@/app/(shop)/api/webhooks/clerk/route'));
  ({ fulfil } = await import('@/lib/integration/stripe/fulfil'));
  ({ findEntitlement } = await import('@/lib/integration/stripe/holdings'));
});
beforeEach(() => {
  stripe.requests.length = 0;
  stripe.intercept(() => undefined);
});
afterAll(async () => {
  vi.doUnmock('next/server');
  vi.unstubAllEnvs();
  vi.resetModules();
  await Promise.all([stripe.stop(), service.stop()]);
});

/** Posts a webhook. Clerk repeats one under the same ID. */
async function post(event: object, id?: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify(event);
  const signed = { ...headers, ...signClerk(body, { secret: SECRET, id }) };
  return POST(new Request('https://shop.example/api/webhooks/clerk', { method: 'POST', body, headers: signed }));
}

/** The same, for the status of the response. */
const deliver = async (event: object, id?: string): Promise<number> => (await post(event, id)).status;

const PLAN = 'studio_monthly';

/** A user with a Stripe customer, and what that has there. */
async function customer(fields: object = {}) {
  const [userId, id] = [`user_${randomUUID()}`, `cus_${randomUUID()}`];
  stripe.put('customers', { id, metadata: {}, ...fields });
  await database().shopCustomer.create({ data: { userId, stripeCustomerId: id } });
  const subscribe = (status: string, lookup_key: string | null = PLAN, metadata: object = {}) => {
    const subscription = `sub_${randomUUID()}`;
    const items = { data: [{ price: { lookup_key, metadata: {} } }] };
    stripe.put('subscriptions', { id: subscription, customer: id, status, items, metadata });
    return subscription;
  };
  const openCheckout = (metadata: object = { plan: 'studio_lifetime' }) => {
    const session = `cs_${randomUUID()}`;
    stripe.put('checkout/sessions', { id: session, customer: id, status: 'open', created: 1_780_000_000, metadata });
    return session;
  };
  return { userId, id, subscribe, openCheckout };
}
const statusOf = (id: string) =>
  ['subscriptions', 'checkout/sessions']
    .flatMap((collection) => stripe.all<Stripe.Subscription>(collection))
    .find((object) => object.id === id)?.status;
const writes = () => stripe.requests.filter(({ method }) => method !== 'GET');

test('every subscription to a plan ends, whatever its state, and the open payment page closes', async () => {
  const { userId, subscribe, openCheckout } = await customer();
  const live = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'].map((status) => subscribe(status));
  const ended = [subscribe('canceled'), subscribe('incomplete_expired')];
  const [session, others] = [openCheckout(), await customer()];
  const kept = [subscribe('active', null), others.subscribe('active'), others.openCheckout()];
  expect(await deliver(userDeleted(userId))).toBe(200);
  expect(live.map(statusOf)).toEqual(live.map(() => 'canceled'));
  expect(ended.map(statusOf)).toEqual(['canceled', 'incomplete_expired']);
  expect(statusOf(session)).toBe('expired');
  expect(kept.map(statusOf)).toEqual(['active', 'active', 'open']);
});

test('what names the user ends, also where its plan is gone, or it never had one', async () => {
  const { userId, subscribe, openCheckout } = await customer();
  const [own, others] = [{ svc_customer_key: userId }, { svc_customer_key: 'user_other' }];
  const subscriptions = [subscribe('active', 'studio_gold', own), subscribe('active', 'studio_gold', others)];
  const sessions = [openCheckout(own), openCheckout(others)];
  expect(await deliver(userDeleted(userId))).toBe(200);
  expect(subscriptions.map(statusOf)).toEqual(['canceled', 'active']);
  expect(sessions.map(statusOf)).toEqual(['expired', 'open']);
});

test('a subscription from before the integration ends, too, after its price moved to an unknown plan', async () => {
  const [user, other] = [await customer(), await customer()];
  const [stored, foreign] = [user.subscribe('active', null), other.subscribe('active', null)];
  for (const id of [stored, foreign]) {
    const subscription = stripe.all('subscriptions').find((object) => object.id === id);
    Object.assign(subscription ?? {}, { items: { data: [{ price: { metadata: { plan: 'studio_gold' } } }] } });
  }
  const row = { id: stored, stripeCustomerId: user.id, plan: PLAN, status: 'active', fencingToken: 1 };
  await database().shopSubscription.create({ data: row });
  expect([await deliver(userDeleted(user.userId)), await deliver(userDeleted(other.userId))]).toEqual([200, 200]);
  expect([stored, foreign].map(statusOf)).toEqual(['canceled', 'active']);
});

test.each(['deleted', 'kept'])('a plan that is paid after its user was %s: only a deleted one’s ends', async (fate) => {
  const [userId, paying] = [`user_${randomUUID()}`, `cus_${randomUUID()}`];
  if (fate === 'deleted') expect(await deliver(userDeleted(userId))).toBe(200); // nothing is there to end yet
  const [subscription, session] = [`sub_${randomUUID()}`, `cs_${randomUUID()}`];
  const items = {
    data: [{ current_period_end: 1_790_000_000, price: { lookup_key: PLAN, metadata: { plan: PLAN } } }],
  };
  stripe.put('customers', { id: paying, metadata: {} });
  stripe.put('subscriptions', { id: subscription, customer: paying, status: 'active', items, metadata: {} });
  const other = { id: `cs_${randomUUID()}`, customer: paying, status: 'open', created: 1_790_000_001 };
  stripe.put('checkout/sessions', { ...other, metadata: { plan: PLAN } });
  const completed = {
    type: 'checkout.session.completed',
    created: 1_790_000_000,
    data: {
      object: {
        ...{ id: session, mode: 'subscription', customer: paying, subscription, payment_status: 'paid' },
        metadata: { plan: PLAN, svc_customer_key: userId },
      },
    },
  };
  const error = vi.spyOn(console, 'error').mockReturnValue();
  await fulfil(completed as unknown as Stripe.Event);
  const isDeleted = fate === 'deleted';
  const alarms = error.mock.calls.filter(([line]) => String(line).includes('fulfil: a deleted user has paid'));
  expect(alarms, 'the money has to be returned by hand').toHaveLength(isDeleted ? 1 : 0);
  error.mockRestore();
  expect([subscription, other.id].map(statusOf)).toEqual(isDeleted ? ['canceled', 'expired'] : ['active', 'open']);
});

test.each([
  ['ends', '123', 'canceled'],
  ['of another program with the same user ID stays', 'another_program', 'active'],
])('a subscription to another product that is paid after its user was deleted %s', async (_, program_id, status) => {
  const [userId, paying, subscription] = [`user_${randomUUID()}`, `cus_${randomUUID()}`, `sub_${randomUUID()}`];
  expect(await deliver(userDeleted(userId))).toBe(200);
  const metadata = { svc_customer_key: userId, program_id };
  stripe.put('subscriptions', { id: subscription, customer: paying, status: 'active', items: { data: [] }, metadata });
  const object = { id: `cs_${randomUUID()}`, mode: 'subscription', customer: paying, subscription, metadata };
  const completed = { type: 'checkout.session.completed', created: 1_790_000_000, data: { object } };
  await fulfil(completed as unknown as Stripe.Event);
  expect(statusOf(subscription)).toBe(status);
});

test.each([
  ['created', 'ends', '123', 'canceled'],
  ['created', 'of another program with the same user ID stays', 'another_program', 'active'],
  ['updated', 'ends as your code has decided, without an alarm', '123', 'active'],
])('a subscription that is %s after its user was deleted %s', async (what, _, program_id, status) => {
  const [userId, paying, id] = [`user_${randomUUID()}`, `cus_${randomUUID()}`, `sub_${randomUUID()}`];
  expect(await deliver(userDeleted(userId))).toBe(200);
  const metadata = { svc_customer_key: userId, program_id };
  stripe.put('subscriptions', { id, customer: paying, status: 'active', items: { data: [] }, metadata });
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const changed = { type: `customer.subscription.${what}`, created: 1_790_000_000, data: { object: { id } } };
  await fulfil(changed as unknown as Stripe.Event);
  const isOwn = status === 'canceled';
  expect(error.mock.calls.join()).toEqual(isOwn ? expect.stringContaining('a deleted user has paid') : '');
  error.mockRestore();
  expect(statusOf(id)).toBe(status);
});

test('the webhook again changes nothing', async () => {
  const { userId, subscribe } = await customer();
  subscribe('active');
  const event = userDeleted(userId);
  expect(await deliver(event, 'msg_deleted_twice')).toBe(200);
  const before = writes().length;
  expect(await deliver(event, 'msg_deleted_twice')).toBe(200);
  expect(writes()).toHaveLength(before);
});

test('for a user without a Stripe customer nothing changes there, also where user.created comes after', async () => {
  const id = `user_${randomUUID()}`;
  expect(await deliver(userDeleted(id))).toBe(200);
  expect(await deliver(userCreated(clerkUser({ id })))).toBe(200);
  expect(stripe.requests).toMatchObject(
    ['subscriptions', 'subscriptions/search'].map((path) => ({ method: 'GET', path })),
  );
});

test('a user that is created, or changed and has no email address, loses nothing', async () => {
  const { userId, subscribe } = await customer();
  const subscription = subscribe('active');
  expect(await deliver(userCreated(clerkUser({ id: userId })))).toBe(200);
  expect(await deliver(userUpdated(clerkUser({ id: userId })))).toBe(200);
  expect(statusOf(subscription)).toBe('active');
  expect(stripe.requests).toEqual([]);
});

const addressOf = (id: string) => stripe.all<Stripe.Customer>('customers').find((found) => found.id === id)?.email;

test('the primary email address of a user is that of the Stripe customer, also after it has changed', async () => {
  const { userId, id } = await customer({ email: 'old@example.com' });
  const user = clerkUser({ id: userId, emails: ['old@example.com', 'new@example.com'] });
  const primary_email_address_id = user.email_addresses[1]?.id ?? null;
  expect(await deliver(userUpdated({ ...user, primary_email_address_id }))).toBe(200);
  expect(addressOf(id)).toBe('new@example.com');
  const before = writes().length;
  expect(await deliver(userUpdated({ ...user, primary_email_address_id, unsafe_metadata: { seen: true } }))).toBe(200);
  expect(writes(), 'another change writes nothing').toHaveLength(before);
});

test('while Stripe does not respond Clerk is asked to send a change again', async () => {
  const { userId, id } = await customer({ email: 'old@example.com' });
  stripe.intercept(() => 503);
  const event = userUpdated(clerkUser({ id: userId, emails: ['new@example.com'] }));
  expect(await deliver(event)).toBe(503);
  stripe.intercept(() => undefined);
  expect(await deliver(event)).toBe(200);
  expect(addressOf(id)).toBe('new@example.com');
});

test('a change of a user without a Stripe customer costs no call to Stripe', async () => {
  const user = clerkUser({ id: `user_${randomUUID()}`, emails: ['new@example.com'] });
  expect(await deliver(userUpdated(user))).toBe(200);
  expect(stripe.requests).toEqual([]);
});

test('of a customer that was deleted at Stripe, or is of another mode, nothing is left to end', async () => {
  const { userId } = await customer({ deleted: true });
  const other = `user_${randomUUID()}`;
  await database().shopCustomer.create({ data: { userId: other, stripeCustomerId: `cus_${randomUUID()}` } });
  expect([await deliver(userDeleted(userId)), await deliver(userDeleted(other))]).toEqual([200, 200]);
  expect(writes()).toEqual([]);
});

test('while Stripe does not respond Clerk is asked to send it again, and the address is forgotten all the same', async () => {
  const { userId, subscribe } = await customer();
  const [first, second] = [subscribe('active'), subscribe('past_due')];
  let cancellations = 0;
  stripe.intercept(({ method }) => (method === 'DELETE' && ++cancellations > 1 ? 503 : undefined));
  const [event, id] = [userDeleted(userId), `msg_${randomUUID()}`];
  expect(await deliver(event, id)).toBe(503);
  const erasures = await database().shopOutboxEntry.findMany({ where: { customerExternalId: userId } });
  expect(erasures.map(({ kind }) => kind)).toEqual(['erasure']);
  stripe.intercept(() => undefined);
  expect(await deliver(event, id)).toBe(200);
  expect([first, second].map(statusOf)).toEqual(['canceled', 'canceled']);
});

test('a report says which request brought it, and a lead when its user was created', async () => {
  const user = clerkUser({ id: `user_${randomUUID()}` });
  const events = { 'request-1': userCreated(user), 'request-2': userDeleted(user.id) };
  for (const [requestId, event] of Object.entries(events)) {
    const { headers } = await post(event, undefined, { 'x-request-id': requestId });
    expect(headers.get('x-request-id')).toBe(requestId);
  }
  const entries = await database().shopOutboxEntry.findMany({
    where: { customerExternalId: user.id },
    orderBy: { requestId: 'asc' },
    select: { kind: true, requestId: true, occurredAt: true },
  });
  expect(entries).toEqual([
    { kind: 'lead', requestId: 'request-1', occurredAt: new Date(user.created_at) },
    { kind: 'erasure', requestId: 'request-2', occurredAt: null },
  ]);
});

test('a plan that is moved to another user as docs/operations.md says stays there when its subscription changes', async () => {
  const [, sql = ''] =
    /### Move a plan to another user[^`]+```sql\n([^`]+)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
  const [kept, other] = [await customer(), await customer()];
  const id = other.subscribe('active', PLAN, { svc_customer_key: other.userId });
  const changed = { type: 'customer.subscription.updated', data: { object: { id } } } as unknown as Stripe.Event;
  await fulfil(changed);
  const planOf = async (user: string) => (await findEntitlement(user))?.plan ?? null;
  expect([await planOf(kept.userId), await planOf(other.userId)]).toEqual([null, PLAN]);
  const move = (from: string, to: string) => {
    const statements = sql.replaceAll('user_kept', to).replaceAll('user_other', from).split(';');
    return database().$transaction(
      statements.filter((one) => /SET|DELETE/.test(one)).map((one) => database().$executeRawUnsafe(one)),
    );
  };
  await move(other.userId, kept.userId);
  await fulfil(changed);
  expect([await planOf(kept.userId), await planOf(other.userId)]).toEqual([PLAN, null]);
  await move('user_mistyped', kept.userId);
  expect(await planOf(kept.userId), 'a user without a customer takes no plan away').toBe(PLAN);
});
