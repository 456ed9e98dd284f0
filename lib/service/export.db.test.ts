// The statement of docs/going-live.md for customers that move to another service.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aKnownCustomer } from '@/tests/support/known-customer';
import { aProgram } from '@/tests/support/program';

const [, statement = ''] =
  /```sql\n(SELECT l\.customer_key[^`]+)```/.exec(readFileSync('docs/going-live.md', 'utf8')) ?? [];

test('the guide’s statement lists the customers of one program, each with its partner', async () => {
  const { programId, customerKey } = await aKnownCustomer();
  const listOf = (id: string) => database().$queryRawUnsafe(statement.replace('prg_…', id));
  expect(await listOf(programId)).toEqual([
    { customer_key: customerKey, click_id: null, partner: 'ada', created_at: expect.any(Date) },
  ]);
  expect(await listOf((await aProgram()).programId)).toEqual([]);
});
