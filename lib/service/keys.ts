import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { generateApiKey, hashSecret } from './api-key';
import { type Position, toPage } from './events/cursor';
import { createId } from './ids';
import { reportingDatabase } from './reporting-database';

/** What a key gives access to: API and dashboard, only the API, or only the dashboard (docs/decisions/0009). */
export const KEY_ACCESS = ['full', 'api', 'dashboard'] as const;
export type KeyAccess = (typeof KEY_ACCESS)[number];

/** The access that a session can grant: no more than its own key has. */
export const grantableBy = (own: KeyAccess): readonly KeyAccess[] => (own === 'full' ? KEY_ACCESS : [own]);

export type ApiKeySummary = {
  id: string;
  label: string;
  last4: string;
  access: KeyAccess;
  createdAt: Date;
  /** Until when an old key works alongside its replacement. */
  expiresAt: Date | null;
  state: 'active' | 'expiring' | 'expired' | 'revoked';
};

const PAGE_SIZE = 20;

type Transaction = Prisma.TransactionClient;

/** A page of a program's keys, newest first. */
export async function listKeys(
  programId: string,
  now: Date,
  { after, limit = PAGE_SIZE }: { after?: Position | undefined; limit?: number } = {},
): Promise<{ apiKeys: ApiKeySummary[]; nextCursor: string | null }> {
  const { sql, empty } = Prisma;
  const rows = await reportingDatabase().$queryRaw<KeyRow[]>`
    SELECT id, label, last4, access, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"
    FROM service_api_keys
    WHERE program_id = ${programId} ${after ? sql`AND (created_at, id) < (${after.time}, ${after.id})` : empty}
    ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`;
  const page = toPage(rows, limit, ({ createdAt, id }) => ({ time: createdAt, id }));
  return {
    apiKeys: page.rows.map(({ revokedAt, ...key }) => ({ ...key, state: stateOf(key.expiresAt, revokedAt, now) })),
    nextCursor: page.nextCursor,
  };
}

type KeyRow = Omit<ApiKeySummary, 'state'> & { revokedAt: Date | null };

function stateOf(expiresAt: Date | null, revokedAt: Date | null, now: Date): ApiKeySummary['state'] {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'active';
  return expiresAt > now ? 'expiring' : 'expired';
}

type NewKey = { programId: string; label: string; access: KeyAccess };

/** @returns the key, which cannot be read again; null if there is no such program */
export async function createKey(programId: string, label: string, access: KeyAccess = 'full'): Promise<string | null> {
  return database().$transaction(async (tx) =>
    (await lockProgram(tx, programId)) ? insertKey(tx, { programId, label, access }) : null,
  );
}

/**
 * Creates a key to replace an old one, which keeps working until `expiresAt`.
 * @param grantable the access that the caller can grant
 * @returns null if the program has no such key that the caller can grant, or if it is already revoked or being replaced
 */
export async function rotateKey(
  programId: string,
  keyId: string,
  expiresAt: Date,
  grantable: readonly KeyAccess[],
): Promise<string | null> {
  return database().$transaction(async (tx) => {
    await lockProgram(tx, programId);
    const old = await tx.apiKey.findFirst({
      where: { id: keyId, programId, access: { in: [...grantable] }, ...LASTING },
    });
    if (!old) return null;
    await tx.apiKey.update({ where: { id: old.id }, data: { expiresAt } });
    return insertKey(tx, { programId, label: old.label, access: old.access as KeyAccess });
  });
}

export type Revocation = 'revoked' | 'not_found' | 'last_key';

/**
 * Revokes a key, unless it is the last one that opens the dashboard permanently: a key that is being replaced expires, so it does
 * not count.
 * @returns 'not_found' if the program has no such key, or if it is already revoked
 */
export async function revokeKey(programId: string, keyId: string, now: Date): Promise<Revocation> {
  return database().$transaction(async (tx) => {
    await lockProgram(tx, programId);
    const key = await tx.apiKey.findFirst({ where: { id: keyId, programId, revokedAt: null } });
    if (!key) return 'not_found';
    const others = { programId, id: { not: keyId }, access: { not: 'api' }, ...LASTING };
    if ((await tx.apiKey.count({ where: others })) === 0) return 'last_key';
    await tx.apiKey.update({ where: { id: key.id }, data: { revokedAt: now } });
    return 'revoked';
  });
}

const LASTING = { revokedAt: null, expiresAt: null };

// Changes of a program's keys are serialized: two parallel revocations would each see the other's key as the one left.
async function lockProgram(tx: Transaction, programId: string): Promise<boolean> {
  const locked = await tx.$queryRaw<object[]>`
    SELECT FROM service_programs WHERE id = ${programId} FOR NO KEY UPDATE`;
  return locked.length > 0;
}

async function insertKey(tx: Transaction, { programId, label, access }: NewKey): Promise<string> {
  const key = generateApiKey();
  await tx.apiKey.create({
    data: { id: createId('key'), programId, hash: hashSecret(key), last4: key.slice(-4), label, access },
  });
  return key;
}
