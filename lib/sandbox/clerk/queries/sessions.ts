import 'server-only';
import { database } from '@/prisma/client';
import { createId } from '../ids';
import type { SessionRecord } from '../records';
import { toSession, withUser } from './rows';
import { inTransaction, type Transaction } from './transaction';

const SESSION_DAYS = 7;
const DAY_MS = 86_400_000;

export type EndedStatus = 'ended' | 'removed' | 'revoked' | 'replaced';

/**
 * Signs a user in on a client, and returns the session's ID. Single-session mode: a new session replaces the one before.
 */
export async function startSession(tx: Transaction, clientId: string, userId: string, now: Date): Promise<string> {
  const id = createId('sess');
  await endActiveSession(tx, clientId, 'replaced');
  await tx.sandboxClerkSession.create({
    data: {
      id,
      clientId,
      userId,
      status: 'active',
      verifiedAt: now,
      lastActiveAt: now,
      createdAt: now,
      expireAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS),
    },
  });
  await tx.sandboxClerkUser.update({ where: { id: userId }, data: { lastSignInAt: now } });
  await tx.sandboxClerkClient.update({
    where: { id: clientId },
    data: { signInId: null, signUpId: null, updatedAt: now },
  });
  return id;
}

const endActiveSession = (tx: Transaction, clientId: string, status: EndedStatus) =>
  tx.sandboxClerkSession.updateMany({ where: { clientId, status: 'active' }, data: { status } });

/** Signs a client out and forgets its attempts. */
export function endClientSession(clientId: string, status: EndedStatus, now: Date): Promise<void> {
  return inTransaction(async (tx) => {
    await endActiveSession(tx, clientId, status);
    await tx.sandboxClerkClient.update({
      where: { id: clientId },
      data: { signInId: null, signUpId: null, updatedAt: now },
    });
  });
}

export async function touchSession(id: string, now: Date): Promise<void> {
  await database().sandboxClerkSession.update({ where: { id }, data: { lastActiveAt: now } });
}

/** A session whatever its state, or null. */
export async function findSession(id: string): Promise<SessionRecord | null> {
  const row = await database().sandboxClerkSession.findUnique({
    where: { id },
    include: { user: { include: withUser } },
  });
  return row ? toSession(row) : null;
}

export async function listActiveSessions(userId: string): Promise<SessionRecord[]> {
  const rows = await database().sandboxClerkSession.findMany({
    where: { userId, status: 'active' },
    include: { user: { include: withUser } },
    orderBy: { createdAt: 'desc' },
  });
  return rows.map(toSession);
}

export async function endSession(id: string, status: EndedStatus): Promise<void> {
  await database().sandboxClerkSession.updateMany({ where: { id, status: 'active' }, data: { status } });
}
