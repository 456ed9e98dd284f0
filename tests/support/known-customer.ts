import type { NewProgram } from '@/lib/service/create-program';
import { createId } from '@/lib/service/ids';
import { database } from '@/prisma/client';
import { aProgram } from './program';
import { unique } from './unique';

/** A customer of a new program, settled as a lead of the partner ada: their payments are sales. */
export async function aKnownCustomer(options: Partial<NewProgram> = {}, settledAt = new Date()) {
  const { programId, apiKey } = await aProgram(options);
  const customerKey = unique('user');
  const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
  await database().lead.create({
    data: {
      id: createId('led'),
      programId,
      test: false,
      customerKey,
      partnerId: partner.id,
      settledBy: 'server',
      createdAt: settledAt,
    },
  });
  return { programId, apiKey, customerKey, metadata: { program_id: programId, svc_customer_key: customerKey } };
}
