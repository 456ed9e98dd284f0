import 'server-only';
import type { ExternalAccountJSON } from '@clerk/shared/types';
import type { Answer } from '../answer';
import { answerBrowser, requireSession } from '../browser';
import type { Call } from '../call';
import { changeUser } from '../change-user';
import { clerkErrors } from '../errors';
import { readOauthFlow } from '../oauth-visits';
import { disconnectAccount } from '../queries/external-accounts';
import { oauthVerification } from '../resources/oauth';
import { deletedResource } from '../resources/user';
import type { Wire } from '../resources/wire';

/** Starts a visit to the provider that connects its account to the signed-in user. */
export async function startConnecting(call: Call): Promise<Answer> {
  const { clientId } = requireSession(call);
  const flow = await readOauthFlow(call, clientId);
  if (!flow) throw clerkErrors.strategyInvalid();
  const account = {
    object: 'external_account',
    id: flow.id,
    provider: flow.strategy as ExternalAccountJSON['provider'],
    email_address: '',
    verification: oauthVerification(flow),
  } satisfies Wire<ExternalAccountJSON>;
  return answerBrowser(call, account);
}

/** Disconnects an account; the last way to sign in stays. */
export async function removeExternalAccount(call: Call): Promise<Answer> {
  const { user } = requireSession(call);
  const id = call.params.id ?? '';
  if (!user.externalAccounts.some((account) => account.id === id)) throw clerkErrors.notFound('External account');
  if (!user.passwordHash && user.externalAccounts.length === 1) throw clerkErrors.lastIdentification();
  await changeUser(call, user.id, {}, (tx) => disconnectAccount(tx, user.id, id));
  return answerBrowser(call, deletedResource('external_account', id));
}
