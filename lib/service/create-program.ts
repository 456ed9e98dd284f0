import 'server-only';
import { database } from '@/prisma/client';
import { generateApiKey, hashSecret } from './api-key';
import type { LeadAuthPolicy, PaymentMode } from './domain/program';
import { createId } from './ids';

export type NewProgram = {
  id?: string;
  name: string;
  leadAuthPolicy?: LeadAuthPolicy;
  cookieWindowDays?: number;
  attributionWindowDays?: number;
  browserRequestsPerMinute?: number;
  serverRequestsPerMinute?: number;
  browserCeilingPerMinute?: number;
  /** By default, no payment account is connected. */
  payments?: { accountId: string; mode: PaymentMode } | null;
  partners?: Array<{ code: string; name: string; active?: boolean }>;
  /** An existing key, as in the local demo; by default a new one. */
  apiKey?: string | undefined;
};

/**
 * Creates a program with its partners and an API key. Safe to repeat: existing records stay unchanged.
 * @returns the IDs, and the API key, which cannot be read again
 */
export async function createProgram(program: NewProgram): Promise<{ programId: string; apiKey: string }> {
  const { id: programId = createId('prg'), partners = [], payments, apiKey = generateApiKey(), ...settings } = program;
  await database().$transaction(async (tx) => {
    await tx.program.createMany({
      data: {
        id: programId,
        ...settings,
        paymentAccountId: payments?.accountId ?? null,
        paymentMode: payments?.mode ?? null,
      },
      skipDuplicates: true,
    });
    await tx.partner.createMany({
      data: partners.map(({ code, name, active = true }) => ({ id: createId('par'), programId, code, name, active })),
      skipDuplicates: true,
    });
    await tx.apiKey.createMany({
      data: { id: createId('key'), programId, hash: hashSecret(apiKey), last4: apiKey.slice(-4), label: 'First key' },
      skipDuplicates: true,
    });
  });
  return { programId, apiKey };
}
