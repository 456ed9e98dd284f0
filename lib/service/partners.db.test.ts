import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram } from '@/tests/support/program';
import { createPartner, updatePartner } from './partners';

const partnersOf = (programId: string) =>
  database().partner.findMany({
    where: { programId },
    select: { code: true, name: true, active: true },
    orderBy: { code: 'asc' },
  });

test('a code is given once in a program, and any other program may have it, too', async () => {
  const [one, other] = await Promise.all([aProgram({}), aProgram({})]);
  const created = await Promise.all(
    ['Mary', 'Marie'].map((name) => createPartner(one.programId, { code: 'mary', name })),
  );
  expect(created.sort(), 'two at once').toEqual([false, true]);
  expect(await createPartner(one.programId, { code: 'ada', name: 'Another' })).toBe(false);
  expect(await createPartner(other.programId, { code: 'mary', name: 'Mary' })).toBe(true);
  const partners = await partnersOf(one.programId);
  expect(partners.map(({ code }) => code)).toEqual(['ada', 'grace', 'linus', 'mary']);
  expect(partners[0], 'the one that was there').toMatchObject({ name: 'Ada', active: true });
});

test('a partner is deactivated and activated in its own program only', async () => {
  const [one, other] = await Promise.all([aProgram({}), aProgram({})]);
  expect(await updatePartner(one.programId, 'ada', { active: false })).toBe(true);
  expect(await updatePartner(one.programId, 'linus', { active: true })).toBe(true);
  expect(await updatePartner(one.programId, 'unknown', { active: true })).toBe(false);
  const active = async (programId: string) =>
    (await partnersOf(programId)).filter((partner) => partner.active).map(({ code }) => code);
  expect(await active(one.programId)).toEqual(['grace', 'linus']);
  expect(await active(other.programId)).toEqual(['ada', 'grace']);
});
