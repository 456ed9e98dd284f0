// The statement of docs/operations.md by which a dead letter is sent again.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { database } from '@/prisma/client';

const [statement = ''] = /UPDATE shop_outbox [^;]+/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];

test('the statement makes a dead letter a report that has just arrived, whatever the time zone of the session', async () => {
  const id = `msg_${randomUUID()}`;
  const report = { kind: 'lead', customerExternalId: id };
  const died = new Date('2025-05-01');
  const times = { queuedAt: died, dueAt: died, occurredAt: died, finishedAt: died };
  // Taken back at the end: no drain of another file finds it pending.
  const retried = await database().$transaction(async (tx) => {
    await tx.shopOutboxEntry.create({ data: { ...report, id, report, state: 'dead', ...times } });
    await tx.$executeRaw`SET LOCAL TIME ZONE 'Asia/Tokyo'`;
    const retry = () => tx.$executeRawUnsafe(statement.replace('msg_…', id));
    const counts = [await retry(), await retry()];
    return { counts, ...(await tx.shopOutboxEntry.delete({ where: { id } })) };
  });
  expect(retried).toMatchObject({ counts: [1, 0], state: 'pending', occurredAt: null, finishedAt: null });
  expect(retried.dueAt).toEqual(retried.queuedAt);
  expect(Math.abs(Date.now() - retried.queuedAt.getTime())).toBeLessThan(60_000);
});
