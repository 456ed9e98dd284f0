// The statements of docs/operations.md by which a dead letter is sent again or closed.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { claimEntries, finishAttempt } from '@/lib/integration/outbox/store';
import { database } from '@/prisma/client';

const [[retryOne = ''] = [], [closeOne = ''] = []] = [
  ...readFileSync('docs/operations.md', 'utf8').matchAll(/UPDATE shop_outbox [^;]+/g),
];

const [, unknownClicks = ''] =
  /`(SELECT [^`]+last_reason = 'unknown_click'[^`]+)`/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];

test('unknown clicks are compared with leads that had a click ID, since most visitors are not referred', async () => {
  const now = new Date();
  const counted = await database().$transaction(
    async (tx) => {
      const count = async () => Object.values((await tx.$queryRawUnsafe<[Record<string, bigint>]>(unknownClicks))[0]);
      const before = await count();
      const add = (state: string, lastReason: string, clickId?: string) => {
        const id = `msg_${randomUUID()}`;
        const report = { kind: 'lead', customerExternalId: id };
        const times = { queuedAt: now, dueAt: now };
        const data = { ...report, id, state, lastReason, report: { ...report, clickId }, ...times };
        return tx.shopOutboxEntry.create({ data });
      };
      const added = [
        await add('dead', 'unknown_click', 'clk_1'),
        await add('done', 'recorded', 'clk_2'),
        await add('skipped', 'not referred by a partner'),
      ];
      const after = await count();
      await tx.shopOutboxEntry.deleteMany({ where: { id: { in: added.map(({ id }) => id) } } });
      return after.map((value, index) => Number(value - (before[index] ?? 0n)));
    },
    { isolationLevel: 'RepeatableRead' }, // rows of other tests do not change the counts meanwhile
  );
  expect(counted).toEqual([1, 2]);
});

test('the first makes a dead letter a report that has just arrived, whatever the time zone of the session', async () => {
  const id = `msg_${randomUUID()}`;
  const report = { kind: 'lead', customerExternalId: id };
  const died = new Date('2025-05-01');
  const times = { queuedAt: died, dueAt: died, occurredAt: died, finishedAt: died };
  // Taken back at the end: no drain of another file finds it pending.
  const retried = await database().$transaction(async (tx) => {
    await tx.shopOutboxEntry.create({ data: { ...report, id, report, state: 'dead', ...times } });
    await tx.$executeRaw`SET LOCAL TIME ZONE 'Asia/Tokyo'`;
    const retry = () => tx.$executeRawUnsafe(retryOne.replace('msg_…', id));
    const counts = [await retry(), await retry()];
    return { counts, ...(await tx.shopOutboxEntry.delete({ where: { id } })) };
  });
  expect(retried).toMatchObject({ counts: [1, 0], state: 'pending', occurredAt: null, finishedAt: null });
  expect(retried.dueAt).toEqual(retried.queuedAt);
  expect(Math.abs(Date.now() - retried.queuedAt.getTime())).toBeLessThan(60_000);
});

test('the second closes a report, and a sale for good: its customer’s lead does not send it again', async () => {
  const [customer, now] = [`user_${randomUUID()}`, new Date()];
  const create = async (kind: string, state: string) => {
    const id = `msg_${randomUUID()}`;
    const times = { queuedAt: now, dueAt: now };
    const report = { kind, customerExternalId: customer };
    await database().shopOutboxEntry.create({ data: { ...report, id, report, state, ...times } });
    return id;
  };
  const closed = [await create('sale', 'dead'), await create('lead', 'dead')];
  for (const id of closed) expect(await database().$executeRawUnsafe(closeOne.replace('msg_…', id))).toBe(1);
  const id = await create('lead', 'pending');
  const [claim] = await claimEntries({ now, limit: 1, id });
  expect(claim).toBeDefined();
  if (claim) await finishAttempt(claim, { state: 'done', dueAt: now, reason: 'recorded' }, 200, now);
  const states = await database().shopOutboxEntry.findMany({ where: { customerExternalId: customer } });
  expect(states.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
    'lead done',
    'lead skipped',
    'sale done',
  ]);
});
