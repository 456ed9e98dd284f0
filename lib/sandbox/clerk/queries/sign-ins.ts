import 'server-only';
import { database } from '@/prisma/client';
import { createId } from '../ids';
import type { OauthFlowRecord, SignInRecord } from '../records';
import { connectAccount } from './external-accounts';
import { toSignIn, withUser } from './rows';
import { startSession } from './sessions';
import { inTransaction } from './transaction';

export type SignInFields = {
  identifier?: string | null;
  userId?: string | null;
  codeSentAt?: Date;
  attempts?: number | { increment: number };
  oauthFlowId?: string | null;
};

/** Starts an attempt to sign in; it replaces the client's attempt before. */
export async function createSignIn(clientId: string, fields: SignInFields, now: Date): Promise<void> {
  const { attempts: _none, ...data } = fields;
  const id = createId('sia');
  await inTransaction(async (tx) => {
    await tx.sandboxClerkSignIn.create({ data: { ...data, id, clientId, createdAt: now } });
    await tx.sandboxClerkClient.update({ where: { id: clientId }, data: { signInId: id, updatedAt: now } });
  });
}

export async function updateSignIn(id: string, fields: SignInFields): Promise<void> {
  await database().sandboxClerkSignIn.update({ where: { id }, data: fields });
}

/** Signs the user of this attempt in, and connects the account that has proven who they are. */
export function completeSignIn(
  clientId: string,
  signInId: string,
  userId: string,
  now: Date,
  flow: OauthFlowRecord | null = null,
): Promise<void> {
  return inTransaction(async (tx) => {
    if (flow) await connectAccount(tx, userId, flow, now);
    const createdSessionId = await startSession(tx, clientId, userId, now);
    await tx.sandboxClerkSignIn.update({ where: { id: signInId }, data: { userId, createdSessionId } });
  });
}

/** A sign-in of this client, also after it is complete, or null. */
export async function findSignIn(clientId: string, id: string): Promise<SignInRecord | null> {
  const row = await database().sandboxClerkSignIn.findUnique({
    where: { id },
    include: { oauthFlow: true, user: { include: withUser } },
  });
  return row?.clientId === clientId ? toSignIn(row) : null;
}
