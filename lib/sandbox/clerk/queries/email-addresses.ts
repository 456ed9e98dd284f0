import 'server-only';
import { database } from '@/prisma/client';
import { createId } from '../ids';
import type { EmailRecord } from '../records';
import type { Transaction } from './transaction';

/** Takes an address away from whoever has entered it without verifying it: it belongs to the one who verifies. */
export async function releaseAddress(tx: Transaction, address: string): Promise<void> {
  await tx.sandboxClerkEmail.deleteMany({ where: { address, verifiedAt: null } });
}

/** Adds an address that its user still has to verify. */
export async function addAddress(tx: Transaction, userId: string, address: string, now: Date): Promise<EmailRecord> {
  await releaseAddress(tx, address);
  return tx.sandboxClerkEmail.create({
    data: { id: createId('idn'), userId, address, strategy: 'email_code', createdAt: now },
  });
}

export async function recordCodeSent(id: string, now: Date): Promise<void> {
  await database().sandboxClerkEmail.update({ where: { id }, data: { codeSentAt: now, attempts: 0 } });
}

export async function recordFailedCode(id: string): Promise<void> {
  await database().sandboxClerkEmail.update({ where: { id }, data: { attempts: { increment: 1 } } });
}

export async function recordVerified(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.sandboxClerkEmail.update({ where: { id }, data: { verifiedAt: now } });
}

export async function removeAddress(tx: Transaction, id: string): Promise<void> {
  await tx.sandboxClerkEmail.delete({ where: { id } });
}
