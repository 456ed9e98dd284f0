import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { drainOutbox } from '@/lib/integration/outbox/deliver';
import { closeDatabases, database } from '@/prisma/client';
import { startEmbeddedDatabase } from '@/tests/support/test-database';
import { listEntries, retryEntry } from './outbox';
import { readPageCursor } from './page-cursor';

// On a database of their own, since a drain delivers whatever is due in it.
let own: Awaited<ReturnType<typeof startEmbeddedDatabase>>;
beforeAll(async () => {
  own = await startEmbeddedDatabase();
  vi.stubEnv('DATABASE_URL', own.url);
  await closeDatabases();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await closeDatabases();
  await own.stop();
});

const addDeadLetters = (ids: string[], queuedAt: Date, fields: { occurredAt?: Date } = {}) =>
  database().shopOutboxEntry.createMany({
    data: ids.map((id) => {
      const report = { kind: 'lead', customerExternalId: id };
      return { ...report, ...fields, id, report, state: 'dead', queuedAt, dueAt: queuedAt };
    }),
  });

test('pages of dead letters neither repeat nor skip one, also among those of one millisecond', async () => {
  const ids = Array.from({ length: 7 }, () => `msg_${randomUUID()}`);
  const queuedAt = new Date('2025-06-01T00:00:00Z');
  await addDeadLetters(ids, queuedAt);
  const found: string[] = [];
  for (let after: string | null = '', page = 0; after !== null && page < 4; page++) {
    const { rows, next } = await listEntries('dead', { after: readPageCursor(after), size: 2 });
    found.push(...rows.map(({ id }) => id));
    after = next;
  }
  expect(found.slice(0, 7).sort()).toEqual(ids.sort());
  expect(await listEntries('pending', { after: null, size: 100 })).not.toMatchObject({
    rows: expect.arrayContaining([expect.objectContaining({ id: ids[0] })]),
  });
});

test('a report that an operator sends again counts from now, and not as one whose webhook was late', async () => {
  const id = `msg_${randomUUID()}`;
  const [happened, now] = [new Date('2025-05-01'), new Date('2025-05-04')];
  await addDeadLetters([id], happened, { occurredAt: happened });
  expect(await retryEntry('none')).toBeNull();
  const decision = await retryEntry(id, { now: () => now, send: async () => ({ status: 200 }) });
  expect(decision).toMatchObject({ state: 'done' });
  expect(await database().shopOutboxEntry.findUnique({ where: { id } })).toMatchObject({
    state: 'done',
    queuedAt: now,
    occurredAt: null,
  });
});

test('a drain at the same moment does not take away the report that an operator sends again', async () => {
  const id = `msg_${randomUUID()}`;
  const now = new Date('2025-05-04');
  await addDeadLetters([id], now);
  const drained: string[] = [];
  const drain = () =>
    drainOutbox({
      now: () => now,
      send: async ({ customerExternalId }) => {
        drained.push(customerExternalId);
        return { status: 503 };
      },
    });
  const drains = Array.from({ length: 20 }, drain);
  await retryEntry(id, { now: () => now, send: async () => ({ status: 200 }) });
  const { state } = await database().shopOutboxEntry.findUniqueOrThrow({ where: { id } });
  await Promise.all([...drains, drain()]);
  expect([state, drained]).toEqual(['done', []]);
});
