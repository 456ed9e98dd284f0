// "Continue with …", as shared by sign-ups, sign-ins and the account page.
import { type BrowserCall, ensureClient } from './call';
import { clerkErrors } from './errors';
import { OAUTH_PROVIDER, type OauthFlow, type OauthProfile } from './objects/oauth';
import type { ExternalAccount, User } from './objects/user';
import { resolveRedirect } from './origins';
import { newId, type Store } from './store';
import { changeUser } from './users';

/** Strategies that need no visit to the provider: the request's other fields imply them. */
const WITHOUT_VISIT = ['password', 'email_code'];

/**
 * Starts the visit to the provider that a request with `strategy=oauth_…` asks for; null if it asks for none.
 * @throws strategy_for_user_invalid for a strategy that is not covered
 */
export async function startOauth(call: BrowserCall): Promise<OauthFlow | null> {
  const { emulator, form, store, now } = call;
  const strategy = form.text('strategy');
  if (strategy === null || WITHOUT_VISIT.includes(strategy)) return null;
  if (strategy !== OAUTH_PROVIDER.strategy) throw clerkErrors.strategyNotCovered(strategy);
  const redirectUrl = resolveRedirect(emulator.config, form.required('redirect_url'));
  const completeUrl = resolveRedirect(emulator.config, form.text('action_complete_redirect_url') ?? '/');
  if (!redirectUrl || !completeUrl) throw clerkErrors.urlInvalid('redirect_url');
  const flow: OauthFlow = {
    id: newId('oau'),
    client_id: (await ensureClient(call)).id,
    strategy,
    redirect_url: redirectUrl,
    complete_url: completeUrl,
    status: 'unverified',
    error_code: null,
    profile: null,
    user_id: null,
    created_at: now,
  };
  await store.insert('oauth_flow', flow);
  return flow;
}

export const toAccount = (strategy: string, profile: OauthProfile): ExternalAccount => ({
  object: 'external_account',
  id: newId('eac'),
  provider: strategy,
  provider_user_id: profile.provider_user_id,
  email_address: profile.email_address,
});

/** The account's user: found by the account itself, else by the address, which the provider has verified. */
export async function findOauthUser(store: Store, provider: string, profile: OauthProfile): Promise<User | null> {
  const owner = await store.findUserByAccount({ provider, provider_user_id: profile.provider_user_id });
  return owner ?? store.findUserByEmail(profile.email_address);
}

/** Connects the account of a visit to a user, once. @returns the user with it */
export async function connectAccount(call: BrowserCall, user: User, flow: OauthFlow): Promise<User> {
  const { store } = call;
  if (!flow.profile) throw new Error(`The OAuth flow ${flow.id} has no profile.`);
  await store.save('oauth_flow', { ...flow, status: 'verified', error_code: null, user_id: user.id });
  const account = toAccount(flow.strategy, flow.profile);
  const isConnected = user.external_accounts.some(
    ({ provider, provider_user_id: id }) => provider === account.provider && id === account.provider_user_id,
  );
  if (isConnected) return user;
  await store.reserveAccount(account, user.id);
  return changeUser(call, { ...user, external_accounts: [...user.external_accounts, account] });
}
