import 'server-only';
import { database } from '@/prisma/client';
import { createId } from './ids';

/** @returns false if the program already has a partner with this code, which stays unchanged */
export async function createPartner(programId: string, partner: { code: string; name: string }): Promise<boolean> {
  const { count } = await database().partner.createMany({
    data: { id: createId('par'), programId, ...partner },
    skipDuplicates: true,
  });
  return count === 1;
}

/**
 * Changes the name, or whether the partner's link creates clicks: existing clicks can still convert.
 * @returns false if the program has no partner with this code
 */
export async function updatePartner(
  programId: string,
  code: string,
  change: { name: string } | { active: boolean },
): Promise<boolean> {
  const { count } = await database().partner.updateMany({ where: { programId, code }, data: change });
  return count === 1;
}
