import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UserJSON } from '@clerk/nextjs/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { enqueue } from '@/lib/integration/outbox/store';
import { database } from '@/prisma/client';
import { clerkUser } from '@/tests/support/clerk-user';

const clickId = 'clk_3nVq0a9ZbYcXdWeVfUgThS';
const MINUTE = 60_000;

// Clerk's Backend API over HTTP: the two routes that listing users needs, with the users that a test puts there.
let users: UserJSON[] = [];
let answersPages = Number.POSITIVE_INFINITY;
/** What happens in Clerk after each page. */
let afterPage = () => {};
let server: Server;
let { reconcile, explainClerkFailure } = {} as typeof import('./reconcile');
let failure = 503;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const offset = Number(searchParams.get('offset'));
    const isOverloaded = pathname === '/v1/users' && --answersPages < 0;
    response.writeHead(isOverloaded ? failure : 200, { 'content-type': 'application/json' });
    const listed = users.filter(
      ({ created_at: createdAt }) =>
        createdAt > Number(searchParams.get('created_at_after')) &&
        createdAt < Number(searchParams.get('created_at_before')),
    );
    const ordered = searchParams.get('order_by') === '+created_at' ? listed : listed.toReversed(); // Clerk's default
    const page = ordered.slice(offset, offset + Number(searchParams.get('limit')));
    response.end(
      JSON.stringify(pathname === '/v1/users' ? page : { object: 'total_count', total_count: listed.length }),
    );
    if (pathname === '/v1/users') afterPage();
  });
  await once(server.listen(0, 'localhost'), 'listening');
  vi.stubEnv('CLERK_SECRET_KEY', 'sk_test_reconcile');
  vi.stubEnv('CLERK_API_URL', `http://localhost:${(server.address() as AddressInfo).port}`);
  vi.resetModules(); // the SDK reads its address once
  ({ reconcile, explainClerkFailure } = await import('./reconcile'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  server.closeAllConnections();
  server.close();
});

/** Users in Clerk, created one second apart, the last one five minutes before `now`. */
function signUp(count: number, now: Date): UserJSON[] {
  users = Array.from({ length: count }, (_, index) =>
    clerkUser({
      id: `user_${randomUUID()}`,
      createdAt: now.getTime() - 5 * MINUTE - (count - 1 - index) * 1000,
      unsafeMetadata: { svc_click_id: clickId },
      emails: [`${index}@example.com`],
    }),
  );
  return users;
}

const idsOf = (list: UserJSON[]) => list.map(({ id }) => id);
const countLeads = (ids: string[]) =>
  database().shopOutboxEntry.count({ where: { kind: 'lead', customerExternalId: { in: ids } } });

test('the first run reports the users of the last 30 days, and raises no alarm', async () => {
  await database().shopCheckpoint.deleteMany(); // of an earlier run on the same database
  const now = new Date('2024-12-01T12:00:00Z');
  const [user] = signUp(1, now);
  const [older, earlier] = [31, 29].map((days) =>
    clerkUser({ id: `user_${randomUUID()}`, createdAt: now.getTime() - days * 24 * 60 * MINUTE }),
  );
  users = [older, earlier, user].filter((one) => one !== undefined);
  const [info, warn] = [vi.spyOn(console, 'info').mockReturnValue(), vi.spyOn(console, 'warn').mockReturnValue()];
  expect((await reconcile(now)).missing).toEqual([earlier?.id, user?.id]);
  expect(info.mock.calls).toEqual([
    ['reconcile: the first run reports the users of the last 30 days users=2 missing=2'],
  ]);
  expect(warn).not.toHaveBeenCalled();
  const entry = await database().shopOutboxEntry.findFirstOrThrow({ where: { customerExternalId: user?.id ?? '' } });
  expect(entry.occurredAt).toBeNull();
  vi.restoreAllMocks();
});

test('100 dropped user.created among 250 are all found, each reported once', async () => {
  const now = new Date('2025-01-01T12:00:00Z');
  const all = signUp(250, now);
  const [dropped, arrived] = [all.slice(75, 175), [...all.slice(0, 75), ...all.slice(175)]];
  for (const { id } of arrived) await enqueue(`msg_${id}`, { kind: 'lead', customerExternalId: id }, now);

  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { missing, users: looked } = await reconcile(now);
  expect(warn.mock.calls).toEqual([['reconcile: webhooks never arrived users=250 missing=100']]);
  expect(looked).toBe(250);
  expect(missing).toEqual(idsOf(dropped));
  expect(await countLeads(missing)).toBe(100);

  expect((await reconcile(new Date(now.getTime() + MINUTE))).missing).toEqual([]);
  expect(await countLeads(missing)).toBe(100);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

test('the report carries the click and the email address that the webhook would have brought', async () => {
  const now = new Date('2025-02-01T12:00:00Z');
  const [user] = signUp(1, now);
  await reconcile(now);
  const entry = await database().shopOutboxEntry.findFirstOrThrow({ where: { customerExternalId: user?.id ?? '' } });
  expect(entry.report).toEqual({ kind: 'lead', customerExternalId: user?.id, clickId, email: '0@example.com' });
  expect(entry.occurredAt?.getTime()).toBe(user?.created_at); // the webhook lag shows it
});

test('a user of the last minute is left to the webhook, and found by the next run', async () => {
  const now = new Date('2025-03-01T12:00:00Z');
  const [user] = signUp(1, new Date(now.getTime() + 5 * MINUTE - 1000));
  expect((await reconcile(now)).missing).toEqual([]);
  expect((await reconcile(new Date(now.getTime() + MINUTE))).missing).toEqual([user?.id]);
});

test('runs overlap by ten minutes, so a user whose clock was behind is found, and one from before that is not read again', async () => {
  const now = new Date('2025-03-15T12:00:00Z');
  users = [];
  await reconcile(now);
  const [late] = signUp(1, new Date(now.getTime() - 4 * MINUTE)); // 9 minutes before `now`
  const [earlier] = signUp(1, new Date(now.getTime() - 7 * MINUTE));
  users = [earlier, late].filter((one) => one !== undefined);
  expect(await reconcile(new Date(now.getTime() + MINUTE))).toMatchObject({ users: 1, missing: [late?.id] });
});

test('a run that breaks off is continued by the next one, from its last page', async () => {
  const now = new Date('2025-04-01T12:00:00Z');
  const all = signUp(150, new Date(now.getTime() - 60 * MINUTE));
  answersPages = 1;
  await expect(reconcile(now)).rejects.toThrow();
  answersPages = Number.POSITIVE_INFINITY;
  expect((await reconcile(new Date(now.getTime() + MINUTE))).users).toBe(51);
  expect(await countLeads(idsOf(all))).toBe(150);
});

test('a run without time for all users leaves the rest to the next one', async () => {
  const now = new Date('2025-04-02T12:00:00Z');
  const all = signUp(150, now);
  let pages = 0;
  const first = await reconcile(now, () => ++pages <= 1);
  expect([first.missing, first.done]).toEqual([idsOf(all.slice(0, 100)), false]);
  const second = await reconcile(now);
  expect([second.missing, second.done]).toEqual([idsOf(all.slice(100)), true]);
});

test('the first run may take several calls, and raises no alarm in any', async () => {
  const now = new Date('2025-04-03T12:00:00Z');
  await database().shopCheckpoint.deleteMany();
  const all = signUp(150, new Date(now.getTime() - 60 * MINUTE));
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  let pages = 0;
  await reconcile(now, () => ++pages <= 1);
  expect((await reconcile(now)).users).toBe(51);
  const where = { customerExternalId: { in: idsOf(all) }, occurredAt: null };
  expect(await database().shopOutboxEntry.count({ where })).toBe(150);
  expect(warn).not.toHaveBeenCalled();
  const [late] = signUp(1, new Date(now.getTime() + MINUTE));
  expect((await reconcile(new Date(now.getTime() + MINUTE))).missing).toEqual([late?.id]);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

test('a user who is deleted between two pages hides no other', async () => {
  const now = new Date('2025-05-01T12:00:00Z');
  const all = signUp(150, now);
  afterPage = () => {
    users = users.filter(({ id }) => id !== all[0]?.id);
  };
  const { missing, users: looked } = await reconcile(now);
  afterPage = () => {};
  expect(missing).toEqual(idsOf(all));
  expect(looked).toBe(150);
});

test('users who were created in the same millisecond, as an import may create them, are all found', async () => {
  const now = new Date('2025-06-01T12:00:00Z');
  const createdAt = now.getTime() - 5 * MINUTE;
  const all = signUp(250, now).map((user, index) => ({ ...user, created_at: index < 10 ? createdAt - 1 : createdAt }));
  users = all;
  const { missing, users: looked } = await reconcile(now);
  expect(missing).toEqual(idsOf(all));
  expect(looked).toBe(250);
});

test('after a run whose clock was ahead, the next run looks back 30 days and misses no user', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  const now = new Date('2025-07-01T12:00:00Z');
  await reconcile(new Date(now.getTime() + 120 * MINUTE));
  const [user] = signUp(1, new Date(now.getTime() + 30 * MINUTE));
  const [older] = signUp(1, new Date(now.getTime() - 31 * 24 * 60 * MINUTE));
  users = [older, user].filter((one) => one !== undefined);
  expect((await reconcile(new Date(now.getTime() + 60 * MINUTE))).missing).toEqual([user?.id]);
  expect((await reconcile(new Date(now.getTime() + 61 * MINUTE))).missing).toEqual([]);
  expect(error.mock.calls.flat()).toEqual([expect.stringContaining('the clock of the last run was ahead')]);
  error.mockRestore();
});

test.each([
  [401, 'clerk_refused'],
  [403, 'clerk_refused'],
  [503, 'clerk_unavailable'],
])('where Clerk answers %i, the run says %s', async (status, code) => {
  answersPages = 0;
  failure = status;
  const error: unknown = await reconcile(new Date()).catch((reason: unknown) => reason);
  answersPages = Number.POSITIVE_INFINITY;
  failure = 503;
  expect(explainClerkFailure(error)).toBe(code);
});

test("a failure that is not Clerk's is not explained as one", () => {
  expect(explainClerkFailure(new Error('the database is down'))).toBeNull();
});
