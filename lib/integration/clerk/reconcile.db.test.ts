import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { enqueue } from '@/lib/integration/inbox/inbox-store';
import { database } from '@/prisma/client';
import { signUpSilently, startClerkBackend } from '@/tests/support/sandbox-clerk';
import { type ListUsers, reconcile } from './reconcile';

const clickId = 'clk_3nVq0a9ZbYcXdWeVfUgThS';
const MINUTE = 60_000;

/** Clerk's Backend API with these users, created one second apart, the last one five minutes before `now`. */
function clerkWith(count: number, now: Date) {
  const users = Array.from({ length: count }, (_, index) => ({
    id: `user_${randomUUID()}`,
    unsafe_metadata: { svc_click_id: clickId },
    email_addresses: [{ email_address: `${index}@example.com` }],
    createdAt: now.getTime() - 5 * MINUTE - (count - 1 - index) * 1000,
  }));
  const list: ListUsers = async ({ since, until, offset }) =>
    users
      .filter(({ createdAt }) => createdAt > since.getTime() && createdAt < until.getTime())
      .slice(offset, offset + 100);
  return { users, list };
}

const countLeads = (ids: string[]) =>
  database().shopInboxEntry.count({ where: { kind: 'lead', customerExternalId: { in: ids } } });

test('100 dropped user.created are all found, each reported once', async () => {
  const now = new Date('2025-01-01T12:00:00Z');
  const { users, list } = clerkWith(250, now);
  const [dropped, arrived] = [users.slice(75, 175), [...users.slice(0, 75), ...users.slice(175)]];
  for (const { id } of arrived) await enqueue(`msg_${id}`, { kind: 'lead', customerExternalId: id }, now);

  const { missing, users: looked } = await reconcile(now, list);
  expect(looked).toBe(250);
  expect(missing).toEqual(dropped.map(({ id }) => id));
  expect(await countLeads(missing)).toBe(100);

  const again = await reconcile(new Date(now.getTime() + MINUTE), list);
  expect(again.missing).toEqual([]);
  expect(await countLeads(missing)).toBe(100);
});

test('the report carries the click and the e-mail address that the webhook would have brought', async () => {
  const now = new Date('2025-02-01T12:00:00Z');
  const { users, list } = clerkWith(1, now);
  await reconcile(now, list);
  const entry = await database().shopInboxEntry.findFirstOrThrow({ where: { customerExternalId: users[0]?.id ?? '' } });
  expect(entry.report).toEqual({
    kind: 'lead',
    customerExternalId: users[0]?.id,
    clickId,
    email: '0@example.com',
  });
});

test('a user of the last minute is left to the webhook, and found by the next run', async () => {
  const now = new Date('2025-03-01T12:00:00Z');
  const { users, list } = clerkWith(1, new Date(now.getTime() + 5 * MINUTE - 1000));
  expect((await reconcile(now, list)).missing).toEqual([]);
  expect((await reconcile(new Date(now.getTime() + MINUTE), list)).missing).toEqual([users[0]?.id]);
});

test('a run that breaks off is made up for by the next one', async () => {
  const now = new Date('2025-04-01T12:00:00Z');
  const { users, list } = clerkWith(150, now);
  const breaksOff: ListUsers = (page) => (page.offset > 0 ? Promise.reject(new Error('429')) : list(page));
  await expect(reconcile(now, breaksOff)).rejects.toThrow('429');
  await reconcile(new Date(now.getTime() + MINUTE), list);
  expect(await countLeads(users.map(({ id }) => id))).toBe(150);
});

test("through Clerk's own SDK and Backend API: 100 dropped user.created among 250 are all found", async () => {
  const now = new Date('2025-05-01T12:00:00Z');
  const backend = await startClerkBackend();
  vi.resetModules(); // the SDK reads its address once
  try {
    const users = await signUpSilently(250, new Date(now.getTime() - 5 * MINUTE), { svc_click_id: clickId });
    const [dropped, arrived] = [users.slice(75, 175), [...users.slice(0, 75), ...users.slice(175)]];
    for (const id of arrived) await enqueue(`msg_${id}`, { kind: 'lead', customerExternalId: id }, now);

    const { reconcile: reconcileWithClerk } = await import('./reconcile');
    const { missing } = await reconcileWithClerk(now);
    expect(missing).toEqual(dropped);
    const leads = await database().shopInboxEntry.findMany({ where: { customerExternalId: { in: missing } } });
    expect(leads.map(({ report }) => report)).toEqual(
      leads.map(({ customerExternalId }) => expect.objectContaining({ customerExternalId, clickId })),
    );
    expect((await reconcileWithClerk(new Date(now.getTime() + MINUTE))).missing).toEqual([]);
  } finally {
    await backend.stop();
  }
});
