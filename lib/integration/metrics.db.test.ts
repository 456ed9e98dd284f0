import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { formatMetrics, readMetrics } from './metrics';
import { enqueue, pruneOutbox } from './outbox/store';

const lead = () => ({ kind: 'lead' as const, customerExternalId: `user_${randomUUID()}` });
const newId = () => `msg_${randomUUID()}`;
const now = new Date('1999-01-01T12:00:00Z'); // the oldest report and those of the last hour are this test's
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

type Transaction = Prisma.TransactionClient;
const finish = (db: Transaction, id: string, state: string, lastReason?: string) =>
  db.shopOutboxEntry.update({ where: { id }, data: { state, ...(lastReason && { lastReason }) } });

/** Other tests use the table at the same time: what they write is not seen, and what this one writes is taken back. */
async function apart(body: (transaction: Transaction) => Promise<void>): Promise<void> {
  const done = new Error('done');
  const work = database().$transaction(
    async (transaction) => {
      await body(transaction);
      throw done;
    },
    { isolationLevel: 'RepeatableRead' },
  );
  await work.catch((error) => {
    if (error !== done) throw error;
  });
}

test('the oldest pending report has an age, dead letters and delivered ones have none', async () => {
  await apart(async (db) => {
    const before = await readMetrics(now, db);
    const [dead, done, pending] = [newId(), newId(), newId()];
    await enqueue(dead, lead(), ago(9000), { db });
    await finish(db, dead, 'dead');
    await enqueue(done, lead(), ago(8000), { db });
    await finish(db, done, 'done');
    await enqueue(pending, lead(), ago(7000), { db });
    expect(await readMetrics(now, db)).toMatchObject({
      outboxAgeSeconds: 7000,
      pending: before.pending + 1,
      deadLetters: before.deadLetters + 1,
    });
    await finish(db, pending, 'done');
    expect((await readMetrics(now, db)).pending).toBe(before.pending);
  });
});

test('a dead letter with an unknown click ID has a figure of its own, as visitors can invent one', async () => {
  await apart(async (db) => {
    const before = await readMetrics(now, db);
    const [unknown, refused] = [newId(), newId()];
    await enqueue(unknown, lead(), ago(9000), { db });
    await finish(db, unknown, 'dead', 'unknown_click');
    await enqueue(refused, lead(), ago(9000), { db });
    await finish(db, refused, 'dead', 'the service refused the report');
    expect(await readMetrics(now, db)).toMatchObject({
      deadLetters: before.deadLetters + 1,
      unknownClicks: before.unknownClicks + 1,
    });
  });
});

test('the webhook lag is the longest of the last hour, of events that say when they happened', async () => {
  await apart(async (db) => {
    const arrive = async (queued: Date, occurredAt: Date | null) =>
      enqueue(newId(), lead(), queued, { db, origin: { requestId: null, occurredAt } });
    await arrive(ago(5000), ago(50_000)); // more than an hour ago
    await arrive(ago(300), null);
    expect((await readMetrics(now, db)).webhookLagSeconds).toBeNull();
    await arrive(ago(250), ago(248)); // the provider's clock is ahead
    expect((await readMetrics(now, db)).webhookLagSeconds).toBe(0);
    await arrive(ago(200), ago(203));
    await arrive(ago(100), ago(142));
    expect((await readMetrics(now, db)).webhookLagSeconds).toBe(42);
  });
});

test('how far back the next reconciliation looks is known from its checkpoint', async () => {
  await apart(async (db) => {
    await db.$executeRaw`LOCK TABLE shop_checkpoints IN EXCLUSIVE MODE`; // reconcile.db.test.ts writes the same row
    await db.shopCheckpoint.deleteMany({ where: { name: 'reconcile' } });
    expect((await readMetrics(now, db)).reconcileAgeSeconds).toBeNull();
    await db.shopCheckpoint.create({ data: { name: 'reconcile', at: ago(4_200) } });
    expect((await readMetrics(now, db)).reconcileAgeSeconds).toBe(4_200);
  });
});

test('leads and erasures are kept for 90 days, leads also as dead letters; sales and erasures that failed stay', async () => {
  const old = new Date('1998-01-01T00:00:00Z');
  const sale = { kind: 'sale' as const, customerExternalId: 'user_1', amount: 1, currency: 'usd', invoiceId: newId() };
  const erasure = { kind: 'erasure' as const, customerExternalId: newId() };
  const cases = [
    { id: newId(), report: lead(), state: 'done', queued: old, stays: false },
    { id: newId(), report: lead(), state: 'skipped', queued: old, stays: false },
    { id: newId(), report: erasure, state: 'done', queued: old, stays: false },
    { id: newId(), report: sale, state: 'done', queued: old, stays: true },
    { id: newId(), report: lead(), state: 'dead', queued: old, stays: false },
    { id: newId(), report: erasure, state: 'dead', queued: old, stays: true },
    { id: newId(), report: lead(), state: 'done', queued: ago(89 * 86_400), stays: true },
  ];
  // In their final state at once: no drain of another file finds them pending.
  await database().shopOutboxEntry.createMany({
    data: cases.map(({ id, report, queued, state }) => {
      const { kind, customerExternalId } = report;
      return { id, kind, customerExternalId, report, state, queuedAt: queued, dueAt: queued };
    }),
  });
  expect(await pruneOutbox(now)).toBeGreaterThanOrEqual(4);
  const left = await database().shopOutboxEntry.findMany({ where: { id: { in: cases.map(({ id }) => id) } } });
  expect(left.map(({ id }) => id).sort()).toEqual(cases.flatMap(({ id, stays }) => (stays ? id : [])).sort());
});

/** Stores this many finished reports of one customer from long ago, and returns the customer's ID. */
async function oldReports(kind: 'lead' | 'sale', count: number): Promise<string> {
  const customer = newId();
  await database().$executeRaw`
    INSERT INTO shop_outbox (id, kind, customer_external_id, report, state, queued_at, due_at)
    SELECT ${customer} || n, ${kind}, ${customer}, '{}', 'done', '1998-01-01', '1998-01-01'
    FROM generate_series(1, ${count}::int) n`;
  return customer;
}

test('a run deletes all reports that are past their retention, however many', async () => {
  const customer = await oldReports('lead', 5001);
  expect(await pruneOutbox(now)).toBeGreaterThanOrEqual(5001);
  expect(await database().shopOutboxEntry.count({ where: { customerExternalId: customer } })).toBe(0);
});

test('a run without time for another batch leaves the rest to the next one', async () => {
  const customer = await oldReports('lead', 5001);
  expect(await pruneOutbox(now, () => false)).toBe(5000);
  expect(await pruneOutbox(now, () => false)).toBeGreaterThan(0);
  expect(await database().shopOutboxEntry.count({ where: { customerExternalId: customer } })).toBe(0);
});

test('a run reads no sale that is kept, however many there are', async () => {
  const customer = await oldReports('sale', 3000);
  await database().$executeRaw`ANALYZE shop_outbox`;
  const statements = vi.spyOn(database(), '$executeRaw');
  await pruneOutbox(now);
  const [text, ...values] = statements.mock.calls[0] ?? [];
  statements.mockRestore();
  const statement = Prisma.sql(text as TemplateStringsArray, ...values);
  const plan = await database().$queryRaw`EXPLAIN (FORMAT JSON) ${statement}`;
  expect(JSON.stringify(plan)).toContain('shop_outbox_prunable_idx');
  await database().shopOutboxEntry.deleteMany({ where: { customerExternalId: customer } });
});

test('as text each metric has a help line and a type, and one without a value is left out', () => {
  const metrics = { outboxAgeSeconds: 1.5, pending: 2, deadLetters: 0, unknownClicks: 1 };
  const unknown = { webhookLagSeconds: null, reconcileAgeSeconds: null };
  expect(formatMetrics({ ...metrics, ...unknown })).toBe(
    [
      '# HELP outbox_oldest_pending_age_seconds How long the oldest undelivered report has waited.',
      '# TYPE outbox_oldest_pending_age_seconds gauge',
      'outbox_oldest_pending_age_seconds 1.5',
      '# HELP outbox_pending Reports that are not delivered yet.',
      '# TYPE outbox_pending gauge',
      'outbox_pending 2',
      '# HELP outbox_dead_letters Reports that were given up and need an operator.',
      '# TYPE outbox_dead_letters gauge',
      'outbox_dead_letters 0',
      '# HELP outbox_unknown_clicks Leads that were given up because their click ID is unknown.',
      '# TYPE outbox_unknown_clicks gauge',
      'outbox_unknown_clicks 1',
      '',
    ].join('\n'),
  );
  const text = formatMetrics({ ...metrics, webhookLagSeconds: 3, reconcileAgeSeconds: 700 });
  expect(text).toContain('\nidentity_webhook_lag_seconds 3\n');
  expect(text).toContain('\nreconcile_age_seconds 700\n');
});
