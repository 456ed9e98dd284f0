import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { createProgram } from './create-program';

test('a new program is connected to the payment account that it is given, else to none', async () => {
  const accountOf = async (payments?: { accountId: string; mode: 'live' | 'test' }) => {
    const { programId } = await createProgram({ name: 'New', ...(payments && { payments }) });
    const { paymentAccountId, paymentMode } = await database().program.findUniqueOrThrow({ where: { id: programId } });
    return [paymentAccountId, paymentMode];
  };
  expect(await accountOf({ accountId: 'acct_1', mode: 'live' })).toEqual(['acct_1', 'live']);
  expect(await accountOf()).toEqual([null, null]);
});

test('a new program is server-verified, with windows of 60 days and the documented limits', async () => {
  const { programId } = await createProgram({ name: 'New' });
  expect(await database().program.findUniqueOrThrow({ where: { id: programId } })).toMatchObject({
    leadAuthPolicy: 'server_verified',
    cookieWindowDays: 60,
    attributionWindowDays: 60,
    browserRequestsPerMinute: 600,
    serverRequestsPerMinute: 6_000,
    browserCeilingPerMinute: 60_000,
  });
});
