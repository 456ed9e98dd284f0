import { expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { logFailure } from './log';

test('a raw statement that failed is logged with the code of PostgreSQL', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  await database().$queryRaw`SELECT FROM no_such_table`.catch((failure: unknown) => logFailure('metrics', failure));
  const line = /^metrics failed error="PrismaClientKnownRequestError" code="42P01" at="at [^"]+"$/;
  expect(error.mock.calls).toEqual([[expect.stringMatching(line)]]);
});
