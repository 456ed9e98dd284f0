import 'server-only';
import { database } from '@/prisma/client';
import { reportingDatabase } from '../reporting-database.ts';

export type DashboardAccess = { programId: string; programName: string; apiKeyId: string };

const usableAt = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });

/** The dashboard that an API key opens; null where it is unknown, revoked, past its end, or for the API alone. */
export async function findAccessByKey(keyHash: string, now: Date): Promise<DashboardAccess | null> {
  const key = await reportingDatabase().apiKey.findFirst({
    where: { hash: keyHash, access: { not: 'api' }, ...usableAt(now) },
    include: { program: { select: { name: true } } },
  });
  return key && { programId: key.programId, programName: key.program.name, apiKeyId: key.id };
}

/** What a session opens: it ends by itself, and with its key. */
export async function findAccessBySession(tokenHash: string, now: Date): Promise<DashboardAccess | null> {
  const session = await reportingDatabase().dashboardSession.findFirst({
    where: { hash: tokenHash, expiresAt: { gt: now }, apiKey: usableAt(now) },
    include: { program: { select: { name: true } } },
  });
  return session && { programId: session.programId, programName: session.program.name, apiKeyId: session.apiKeyId };
}

export async function insertSession(access: DashboardAccess, tokenHash: string, expiresAt: Date): Promise<void> {
  const { programId, apiKeyId } = access;
  await database().dashboardSession.create({ data: { hash: tokenHash, programId, apiKeyId, expiresAt } });
}

/** Ends one session, and clears away the ones that are over. */
export async function deleteSession(tokenHash: string, now: Date): Promise<void> {
  await database().dashboardSession.deleteMany({ where: { OR: [{ hash: tokenHash }, { expiresAt: { lte: now } }] } });
}
