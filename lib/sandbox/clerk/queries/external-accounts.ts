import 'server-only';
import { createId } from '../ids';
import type { OauthFlowRecord } from '../records';
import type { Transaction } from './transaction';

/** The account that a visit to the provider has proven. */
export const toExternalAccount = (flow: OauthFlowRecord, now: Date) => ({
  id: createId('eac'),
  strategy: flow.strategy,
  providerUserId: flow.providerUserId ?? '',
  emailAddress: flow.emailAddress ?? '',
  createdAt: now,
});

/** Connects the account to a user, once. */
export async function connectAccount(tx: Transaction, userId: string, flow: OauthFlowRecord, now: Date): Promise<void> {
  await tx.sandboxClerkExternalAccount.createMany({
    data: [{ ...toExternalAccount(flow, now), userId }],
    skipDuplicates: true,
  });
}

/** False where the user has no such account. */
export async function disconnectAccount(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const { count } = await tx.sandboxClerkExternalAccount.deleteMany({ where: { id, userId } });
  return count === 1;
}
