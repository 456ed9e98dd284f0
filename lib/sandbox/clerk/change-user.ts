import 'server-only';
import { refreshClient } from './browser';
import type { Call } from './call';
import { clerkErrors } from './errors';
import { inTransaction, isUniqueViolation, type Transaction } from './queries/transaction';
import { type UserChange, updateUser } from './queries/users';
import { emitUserEvent } from './webhooks';

/** A change to the signed-in user's data, with the `user.updated` that tells of it. */
export async function changeUser(
  call: Call,
  userId: string,
  fields: UserChange,
  change: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<void> {
  try {
    await inTransaction(async (tx) => {
      await change(tx);
      const user = await updateUser(tx, userId, fields, call.now);
      await emitUserEvent('user.updated', user, call, tx);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? clerkErrors.identifierExists() : error;
  }
  await refreshClient(call);
}
