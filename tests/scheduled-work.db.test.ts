// What the cron routes do, and what the identity webhook does after its response. On a database of their own, since a drain
// delivers whatever is due in it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabases, database } from '@/prisma/client';
import { clerkUser, userCreated } from './support/clerk-user';
import { APP, CLERK, STRIPE } from './support/configuration';
import { type MisbehavingService, startMisbehavingService } from './support/misbehaving-service';
import { signClerk } from './support/sign-clerk';
import { startEmbeddedDatabase } from './support/test-database';

const CRON_SECRET = 'a secret of sixteen letters';
const SIGNING_SECRET = `whsec_${Buffer.from('a secret of this test only').toString('base64')}`;

let own: Awaited<ReturnType<typeof startEmbeddedDatabase>>;
let service: MisbehavingService;
/** Clerk's Backend API, without a user, and the status that it responds with. */
let clerk: Server;
let clerkStatus = 200;
/** What handlers leave for after their response. */
const later: Promise<unknown>[] = [];

beforeAll(async () => {
  own = await startEmbeddedDatabase();
  service = await startMisbehavingService();
  clerk = createServer((request, response) => {
    const isList = request.url?.startsWith('/v1/users?');
    response.writeHead(clerkStatus, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isList ? [] : { object: 'total_count', total_count: 0 }));
  });
  await once(clerk.listen(0, 'localhost'), 'listening');
  vi.doMock('next/server', async (original) => ({
    ...(await original<typeof import('next/server')>()),
    after: (work: () => Promise<unknown>) => void later.push(work()),
  }));
});

afterAll(async () => {
  vi.doUnmock('next/server');
  vi.unstubAllEnvs();
  vi.resetModules();
  await closeDatabases();
  clerk.closeAllConnections();
  clerk.close();
  await service.stop();
  await own.stop();
});

/** Requests from now on have a process of their own, with this database. */
async function useDatabase(url: string) {
  const variables = {
    ...{ ...APP, ...CLERK, ...STRIPE, CRON_SECRET, DATABASE_URL: url },
    CLERK_API_URL: `http://localhost:${(clerk.address() as AddressInfo).port}`,
    CLERK_WEBHOOK_SIGNING_SECRET: SIGNING_SECRET,
    ...{ NEXT_PUBLIC_SVC_PROGRAM_ID: 'prg_1', NEXT_PUBLIC_SVC_BASE_URL: service.baseUrl, SVC_API_KEY: service.apiKey },
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  await closeDatabases();
}

const cron = () => new Request(APP.APP_URL ?? '', { headers: { authorization: `Bearer ${CRON_SECRET}` } });
const drain = async () => (await import('@/app/(shop)/api/cron/outbox/route')).GET(cron());
const reconcile = async () => (await import('@/app/(shop)/api/cron/reconcile/route')).GET(cron());
const metrics = async () => (await import('@/app/(shop)/api/metrics/route')).GET(cron());

async function signUp() {
  const body = JSON.stringify(userCreated(clerkUser({ id: newCustomer() })));
  const headers = signClerk(body, { secret: SIGNING_SECRET });
  const { POST } = await import('@/app/(shop)/api/webhooks/clerk/route');
  return POST(new Request(APP.APP_URL ?? '', { method: 'POST', headers, body }));
}

async function pay() {
  const metadata = { plan: 'studio_lifetime', svc_customer_key: newCustomer() };
  const session = { object: 'checkout.session', id: 'cs_1', customer: 'cus_1', payment_status: 'paid', metadata };
  const event = {
    object: 'event',
    id: 'evt_1',
    type: 'checkout.session.completed',
    created: 1,
    data: { object: session },
  };
  const body = JSON.stringify(event);
  const secret = STRIPE.STRIPE_WEBHOOK_SECRET ?? '';
  const headers = { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: body, secret }) };
  const { POST } = await import('@/app/(shop)/api/webhooks/stripe/route');
  return POST(new Request(APP.APP_URL ?? '', { method: 'POST', headers, body }));
}

const newCustomer = () => `user_${randomUUID()}`;

/** A lead that has waited for a minute, or one that was delivered long ago. */
async function putLead(state: 'pending' | 'done', ageDays: number): Promise<string> {
  const [id, customerExternalId] = [`msg_${randomUUID()}`, newCustomer()];
  const queuedAt = new Date(Date.now() - 60_000 - ageDays * 86_400_000);
  const report = { kind: 'lead', customerExternalId };
  await database().shopOutboxEntry.create({ data: { ...report, id, report, state, queuedAt, dueAt: queuedAt } });
  return id;
}
const stateOf = async (id: string) =>
  (await database().shopOutboxEntry.findUnique({ where: { id } }))?.state ?? 'deleted';

describe('with a report that is due and one past its retention', () => {
  let due: string;
  let old: string;
  beforeEach(async () => {
    await useDatabase(own.url);
    due = await putLead('pending', 0);
    old = await putLead('done', 91);
  });

  test('/api/cron/outbox delivers the one and deletes the other', async () => {
    expect(await (await drain()).json()).toEqual({ attempts: 1, deleted: 1 });
    expect([await stateOf(due), await stateOf(old)]).toEqual(['done', 'deleted']);
  });

  test('so does /api/cron/reconcile', async () => {
    expect(await (await reconcile()).json()).toEqual({ users: 0, missing: [], done: true });
    expect([await stateOf(due), await stateOf(old)]).toEqual(['done', 'deleted']);
  });

  test('so does /api/cron/reconcile where Clerk does not respond, and its status says that it did not', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    clerkStatus = 503;
    try {
      expect((await reconcile()).status).toBe(502);
    } finally {
      clerkStatus = 200;
    }
    expect([await stateOf(due), await stateOf(old)]).toEqual(['done', 'deleted']);
    expect(error.mock.calls).toEqual([
      [expect.stringMatching(/^cron: reconcile failed error="ClerkAPIResponseError"/)],
    ]);
    error.mockRestore();
  });

  test('a delivery that fails hides neither the users that /api/cron/reconcile found nor itself', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    await database().$executeRaw`ALTER TABLE shop_outbox RENAME COLUMN due_at TO due`;
    try {
      expect(await (await reconcile()).json()).toEqual({ users: 0, missing: [], done: true });
    } finally {
      await database().$executeRaw`ALTER TABLE shop_outbox RENAME COLUMN due TO due_at`;
    }
    expect(error.mock.calls).toEqual([[expect.stringMatching(/^cron: outbox failed error="\w+"/)]]);
    error.mockRestore();
  });

  test('the identity webhook delivers what is due after its response', async () => {
    expect((await signUp()).status).toBe(200);
    await Promise.all(later);
    expect(await stateOf(due)).toBe('done');
  });
});

test.each([
  ['/api/cron/outbox', drain, 1],
  ['/api/cron/reconcile', reconcile, 2], // of the users, and of the delivery
  ['/api/metrics', metrics, 1],
  ['/api/webhooks/stripe', pay, 1],
])('where the database is down, %s says so by its status, and logs only lines of ours', async (_, call, lines) => {
  await useDatabase('postgres://localhost:1/shop');
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const response = await call();
  expect([response.status, await response.json()]).toMatchObject([500, { code: 'failed' }]);
  expect(error.mock.calls).toEqual(Array(lines).fill([expect.stringMatching(/^[\w :]+ failed error="\w+"/)]));
  error.mockRestore();
});

test('where the database is down, what the identity webhook leaves for after its response fails in our log, too', async () => {
  await useDatabase('postgres://localhost:1/shop');
  const error = vi.spyOn(console, 'error').mockReturnValue();
  expect((await signUp()).status).toBe(200);
  await Promise.all(later);
  expect(error.mock.calls.flat().join()).toContain('outbox: draining failed');
  error.mockRestore();
});
