import 'server-only';
import { database } from '@/prisma/client';
import type { KeyAccess } from '../keys';
import { reportingPool } from '../reporting-database';

export type DashboardAccess = {
  programId: string;
  programName: string;
  isPaused: boolean;
  apiKeyId: string;
  keyAccess: KeyAccess;
  /** Whether the key is being replaced. */
  isExpiring: boolean;
};

// Without Prisma's client, which costs more than these queries: every open live page runs them every three seconds.
const ACCESS = `k.program_id AS "programId", p.name AS "programName", p.paused AS "isPaused", k.id AS "apiKeyId",
  k.access AS "keyAccess", k.expires_at IS NOT NULL AS "isExpiring"`;
const IS_USABLE = 'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)';

async function findAccess(text: string, hash: string, now: Date): Promise<DashboardAccess | null> {
  const { rows } = await reportingPool().query<DashboardAccess>({ text, values: [hash, now] });
  return rows[0] ?? null;
}

/** What an API key gives access to; null if it is unknown, revoked, expired, or for the API only. */
export const findAccessByKey = (keyHash: string, now: Date): Promise<DashboardAccess | null> =>
  findAccess(
    `SELECT ${ACCESS} FROM service_api_keys k JOIN service_programs p ON p.id = k.program_id
     WHERE k.hash = $1 AND k.access <> 'api' AND ${IS_USABLE}`,
    keyHash,
    now,
  );

/** What a session gives access to; null if it or its key has expired, or the key was revoked. */
export const findAccessBySession = (tokenHash: string, now: Date): Promise<DashboardAccess | null> =>
  findAccess(
    `SELECT ${ACCESS} FROM service_dashboard_sessions s
       JOIN service_api_keys k ON k.id = s.api_key_id JOIN service_programs p ON p.id = s.program_id
     WHERE s.hash = $1 AND s.expires_at > $2 AND ${IS_USABLE}`,
    tokenHash,
    now,
  );

export async function insertSession(access: DashboardAccess, tokenHash: string, expiresAt: Date): Promise<void> {
  const { programId, apiKeyId } = access;
  await database().dashboardSession.create({ data: { hash: tokenHash, programId, apiKeyId, expiresAt } });
}

/** Ends one session. Expired ones are deleted with other old records: `lib/service/retention.ts`. */
export async function deleteSession(tokenHash: string): Promise<void> {
  await database().dashboardSession.deleteMany({ where: { hash: tokenHash } });
}
