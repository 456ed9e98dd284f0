import { expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { guard } from './respond';

test('a raw statement that failed is logged with the code of PostgreSQL', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  await guard(() => database().$queryRaw`SELECT FROM no_such_table`);
  const line = /^service: the store failed error="PrismaClientKnownRequestError" code="42P01" at="at [^"]+"$/;
  expect(error.mock.calls).toEqual([[expect.stringMatching(line)]]);
});
