import 'server-only';
import type { Call } from './call';
import { OAUTH_PROVIDER } from './domain/oauth-provider';
import { clerkErrors } from './errors';
import { resolveRedirect } from './origin';
import { createOauthFlow } from './queries/oauth-flows';
import { findUserByAccount, findUserByEmail } from './queries/users';
import type { OauthFlowRecord, UserRecord } from './records';

/**
 * The visit to the provider that a request with `strategy=oauth_…` asks for, or null where it asks for none. Both
 * addresses to come back to must be of this app.
 */
export async function readOauthFlow(call: Call, clientId: string): Promise<OauthFlowRecord | null> {
  const strategy = call.form.text('strategy');
  if (!strategy?.startsWith('oauth_')) return null;
  if (strategy !== OAUTH_PROVIDER.strategy) throw clerkErrors.strategyInvalid();
  const redirectUrl = resolveRedirect(call.form.required('redirect_url'), call.origin);
  const completeUrl = resolveRedirect(call.form.text('action_complete_redirect_url') ?? '/', call.origin);
  if (!redirectUrl || !completeUrl) throw clerkErrors.urlInvalid('redirect_url');
  return createOauthFlow({ clientId, strategy, redirectUrl, completeUrl }, call.now);
}

/** Whose account it is: by the account itself, else by the address, which the provider has verified. */
export async function findUserByOauth(flow: OauthFlowRecord): Promise<UserRecord | null> {
  const { strategy, providerUserId, emailAddress } = flow;
  const owner = await findUserByAccount(strategy, providerUserId ?? '');
  return owner ?? findUserByEmail(emailAddress ?? '');
}
