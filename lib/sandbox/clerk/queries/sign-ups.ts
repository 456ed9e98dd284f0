import 'server-only';
import { database } from '@/prisma/client';
import { createId } from '../ids';
import type { Metadata, SignUpRecord, UserRecord } from '../records';
import { releaseAddress } from './email-addresses';
import { toExternalAccount } from './external-accounts';
import { toSignUp, toUser, withUser } from './rows';
import { startSession } from './sessions';
import { inTransaction, type Transaction } from './transaction';

export type SignUpFields = {
  emailAddress?: string | null;
  passwordHash?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  unsafeMetadata?: Metadata;
  codeSentAt?: Date | null;
  attempts?: number | { increment: number };
  verifiedAt?: Date | null;
  oauthFlowId?: string;
};

const toData = ({ unsafeMetadata, ...rest }: SignUpFields) => ({
  ...rest,
  ...(unsafeMetadata && { unsafeMetadata: unsafeMetadata as object }),
});

/** Starts an attempt to sign up; it replaces the client's attempt before. */
export async function createSignUp(clientId: string, fields: SignUpFields, now: Date): Promise<void> {
  const { attempts: _none, ...data } = toData(fields);
  const id = createId('sua');
  await inTransaction(async (tx) => {
    await tx.sandboxClerkSignUp.create({ data: { ...data, id, clientId, createdAt: now } });
    await tx.sandboxClerkClient.update({ where: { id: clientId }, data: { signUpId: id, updatedAt: now } });
  });
}

export async function updateSignUp(id: string, fields: SignUpFields): Promise<void> {
  await database().sandboxClerkSignUp.update({ where: { id }, data: toData(fields) });
}

/**
 * Makes the user of a sign-up that has all it needs, and signs them in. The unique address decides between two sign-ups
 * at the same moment: the transaction of the second fails.
 */
export async function completeSignUp(
  tx: Transaction,
  clientId: string,
  signUp: SignUpRecord,
  now: Date,
): Promise<UserRecord> {
  const id = createId('user');
  const emailId = createId('idn');
  const account = signUp.oauthFlow ? { create: toExternalAccount(signUp.oauthFlow, now) } : undefined;
  const strategy = signUp.oauthFlow ? `from_${signUp.oauthFlow.strategy}` : signUp.verifiedAt ? 'email_code' : 'admin';
  await releaseAddress(tx, signUp.emailAddress ?? '');
  const row = await tx.sandboxClerkUser.create({
    data: {
      id,
      passwordHash: signUp.passwordHash,
      firstName: signUp.firstName,
      lastName: signUp.lastName,
      unsafeMetadata: signUp.unsafeMetadata as object,
      primaryEmailId: emailId,
      lastSignInAt: now,
      createdAt: now,
      updatedAt: now,
      emails: {
        create: { id: emailId, address: signUp.emailAddress ?? '', strategy, verifiedAt: now, createdAt: now },
      },
      ...(account && { externalAccounts: account }),
    },
    include: withUser,
  });
  const createdSessionId = await startSession(tx, clientId, id, now);
  await tx.sandboxClerkSignUp.update({ where: { id: signUp.id }, data: { createdUserId: id, createdSessionId } });
  return toUser(row);
}

/** A sign-up of this client, also after it is complete, or null. */
export async function findSignUp(clientId: string, id: string): Promise<SignUpRecord | null> {
  const row = await database().sandboxClerkSignUp.findUnique({ where: { id }, include: { oauthFlow: true } });
  return row?.clientId === clientId ? toSignUp(row) : null;
}
