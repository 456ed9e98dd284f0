import 'server-only';
import { database } from '@/prisma/client';
import { generateApiKey, hashSecret } from '../api-key.ts';
import type { LeadAuthPolicy, PaymentMode } from '../domain/program.ts';
import { createId } from '../ids.ts';

export type ApiKeySummary = {
  id: string;
  label: string;
  last4: string;
  createdAt: Date;
  /** Until when an old key works beside the one that replaces it. */
  expiresAt: Date | null;
  state: 'active' | 'expiring' | 'expired' | 'revoked';
};

export type Settings = {
  programId: string;
  name: string;
  leadAuthPolicy: string;
  cookieWindowDays: number;
  attributionWindowDays: number;
  isPaused: boolean;
  payments: { accountId: string; mode: string } | null;
  apiKeys: ApiKeySummary[];
};

function stateOf(key: { expiresAt: Date | null; revokedAt: Date | null }, now: Date): ApiKeySummary['state'] {
  if (key.revokedAt) return 'revoked';
  if (!key.expiresAt) return 'active';
  return key.expiresAt > now ? 'expiring' : 'expired';
}

export async function readSettings(programId: string, now: Date): Promise<Settings> {
  const program = await database().program.findUniqueOrThrow({
    where: { id: programId },
    include: { apiKeys: { orderBy: { createdAt: 'desc' }, take: 50 } },
  });
  const { paymentAccountId, paymentMode } = program;
  return {
    programId,
    name: program.name,
    leadAuthPolicy: program.leadAuthPolicy,
    cookieWindowDays: program.cookieWindowDays,
    attributionWindowDays: program.attributionWindowDays,
    isPaused: program.paused,
    payments: paymentMode ? { accountId: paymentAccountId ?? '', mode: paymentMode } : null,
    apiKeys: program.apiKeys.map((key) => ({
      id: key.id,
      label: key.label,
      last4: key.last4,
      createdAt: key.createdAt,
      expiresAt: key.expiresAt,
      state: stateOf(key, now),
    })),
  };
}

export type ProgramChange = Partial<{
  leadAuthPolicy: LeadAuthPolicy;
  cookieWindowDays: number;
  attributionWindowDays: number;
  paused: boolean;
  paymentAccountId: string | null;
  paymentMode: PaymentMode | null;
}>;

export async function updateProgram(programId: string, change: ProgramChange): Promise<void> {
  await database().program.update({ where: { id: programId }, data: change });
}

/** @returns the key, which cannot be read again */
export async function createKey(programId: string, label: string): Promise<string> {
  const key = generateApiKey();
  await database().apiKey.create({
    data: { id: createId('key'), programId, hash: hashSecret(key), last4: key.slice(-4), label },
  });
  return key;
}

/** A new key beside the old one, which goes on working until `expiresAt`. null where there is no such usable key. */
export async function rotateKey(programId: string, keyId: string, expiresAt: Date): Promise<string | null> {
  const key = generateApiKey();
  const rotated = await database().$transaction(async (tx) => {
    const old = await tx.apiKey.findFirst({ where: { id: keyId, programId, revokedAt: null, expiresAt: null } });
    if (!old) return false;
    await tx.apiKey.update({ where: { id: old.id }, data: { expiresAt } });
    await tx.apiKey.create({
      data: { id: createId('key'), programId, hash: hashSecret(key), last4: key.slice(-4), label: old.label },
    });
    return true;
  });
  return rotated ? key : null;
}

/** One statement, so that two people cannot revoke the last two keys at once. @returns whether a key was revoked */
export async function revokeKey(programId: string, keyId: string, now: Date): Promise<boolean> {
  const revoked = await database().$executeRaw`
    UPDATE service_api_keys SET revoked_at = ${now}
    WHERE id = ${keyId} AND program_id = ${programId} AND revoked_at IS NULL AND EXISTS (
      SELECT FROM service_api_keys other
      WHERE other.program_id = ${programId} AND other.id <> ${keyId} AND other.revoked_at IS NULL
        AND (other.expires_at IS NULL OR other.expires_at > ${now}))`;
  return revoked === 1;
}
