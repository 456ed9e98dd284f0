// The statements of docs/operations.md that help to find a partner who cheats.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
import { createId } from './ids';

const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split('### Is this partner cheating?\n');
const statements = [...section.matchAll(/```sql\n(.+?)```/gs)].map(([, statement = '']) => statement);

test('the statements list clicks by hour and referrer, by customers, and the customers that a payment won', async () => {
  const { programId } = await aProgram();
  const [ada, grace] = await Promise.all(
    ['ada', 'grace'].map((code) => database().partner.findFirstOrThrow({ where: { programId, code } })),
  );
  const hour = new Date(new Date().setUTCMinutes(0, 0, 0) - 3_600_000);
  const click = async (partnerId = '', referrerUrl: string | null = null) => {
    const affiliateUrl = 'https://shop.example/?aff=ada';
    const row = { id: createId('clk'), programId, partnerId, affiliateUrl, referrerUrl, createdAt: hour };
    return (await database().click.create({ data: row })).id;
  };
  const lead = async (clickId: string, settledBy: string, { partnerId = ada?.id ?? '', test = false } = {}) => {
    const row = { id: createId('led'), programId, test, clickId, partnerId, settledBy, createdAt: new Date() };
    return (await database().lead.create({ data: { ...row, customerKey: unique('user') } })).customerKey;
  };
  const farm = 'https://farm.example/';
  const [shared = '', single = ''] = [await click(ada?.id, farm), await click(ada?.id, farm)];
  const other = await click(grace?.id, farm);
  await click(ada?.id);
  await lead(shared, 'server');
  const won = await lead(shared, 'payment');
  await lead(single, 'browser');
  await lead(single, 'payment', { test: true });
  await lead(other, 'payment', { partnerId: grace?.id });

  const results = await Promise.all(
    statements.map((statement) => database().$queryRawUnsafe<object[]>(statement.replace('prg_…', programId))),
  );
  expect(results).toEqual([
    [
      { hour, referrer_url: farm, count: 2n },
      { hour, referrer_url: null, count: 1n },
    ],
    [
      { click_id: shared, count: 2n },
      { click_id: single, count: 1n },
    ],
    [{ customer_key: won, clicked_at: hour, settled_at: expect.any(Date) }],
  ]);
});
