// The statements of docs/operations.md and docs/deploy.md about what is stored about a user.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { database } from '@/prisma/client';

const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split('### What is stored about a user\n');
const [stored = ''] = section.split('\n### ');
const selects = [...stored.matchAll(/^SELECT [^;]+/gm)].map(([statement]) => statement);
const [again = ''] = /UPDATE shop_outbox [^;]+/.exec(readFileSync('docs/deploy.md', 'utf8')) ?? [];

test('everything that is stored about a user is found by the statements', async () => {
  const id = `user_${randomUUID()}`;
  const [customer, subscription] = [`cus_${id}`, `sub_${id}`];
  await database().shopCustomer.create({ data: { userId: id, stripeCustomerId: customer } });
  const row = {
    id: subscription,
    stripeCustomerId: customer,
    plan: 'studio_monthly',
    status: 'active',
    fencingToken: 1n,
  };
  await database().shopSubscription.create({ data: row });
  const found: object[] = [];
  for (const statement of selects) {
    found.push(...(await database().$queryRawUnsafe<object[]>(statement.replaceAll('user_…', id))));
  }
  expect(selects.length).toBeGreaterThanOrEqual(4);
  expect(found).toMatchObject([{ stripe_customer_id: customer }, { id: subscription }]);
});

test.each(['lead', 'sale', 'erasure'])(
  'each %s that a restored service has lost is sent again, and an earlier one is not',
  async (kind) => {
    const [, restored = ''] = /finished_at > '([^']+)'/.exec(again) ?? [];
    const aMinute = 60_000;
    const states = await database().$transaction(async (tx) => {
      const finished = async (finishedAt: Date) => {
        const id = `msg_${randomUUID()}`;
        const report = { kind, customerExternalId: id };
        const times = { queuedAt: finishedAt, dueAt: finishedAt, finishedAt };
        await tx.shopOutboxEntry.create({ data: { ...report, id, report, state: 'done', ...times } });
        return id;
      };
      const at = new Date(`${restored}Z`).getTime();
      const ids = [await finished(new Date(at - aMinute)), await finished(new Date(at + aMinute))];
      await tx.$executeRawUnsafe(`${again} AND id IN ('${ids.join("', '")}')`);
      const rows = await Promise.all(ids.map((id) => tx.shopOutboxEntry.delete({ where: { id } })));
      return rows.map(({ state }) => state);
    });
    expect(states).toEqual(['done', 'pending']);
  },
);
