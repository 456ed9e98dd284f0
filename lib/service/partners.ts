import 'server-only';
import { database } from '@/prisma/client';
import { createId } from './ids.ts';

/** @returns false if the program already has a partner with this code, which stays unchanged */
export async function createPartner(programId: string, partner: { code: string; name: string }): Promise<boolean> {
  const { count } = await database().partner.createMany({
    data: { id: createId('par'), programId, ...partner },
    skipDuplicates: true,
  });
  return count === 1;
}

/** @returns false if the program has no partner with this code */
export async function renamePartner(programId: string, code: string, name: string): Promise<boolean> {
  const { count } = await database().partner.updateMany({ where: { programId, code }, data: { name } });
  return count === 1;
}

/**
 * Sets whether the partner's link creates clicks. Existing clicks can still convert.
 * @returns false if the program has no partner with this code
 */
export async function setPartnerActive(programId: string, code: string, active: boolean): Promise<boolean> {
  const { count } = await database().partner.updateMany({ where: { programId, code }, data: { active } });
  return count === 1;
}
