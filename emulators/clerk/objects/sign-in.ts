import type { SignInFirstFactorJSON, SignInJSON } from '@clerk/shared/types';
import { AVATAR, type Wire } from './json';
import { type OauthFlow, oauthVerificationJson } from './oauth';
import { primaryAddress, primaryEmail, type User } from './user';
import type { Verification } from './verification';

/** A browser's attempt to sign in, until and after it is complete. */
export type SignIn = {
  id: string;
  client_id: string;
  identifier: string | null;
  user_id: string | null;
  verification: Verification | null;
  oauth_flow_id: string | null;
  /** The session that it created. */
  session_id: string | null;
  created_at: number;
};

export const createSignIn = (id: string, clientId: string, fields: Partial<SignIn>, now: number): SignIn => ({
  id,
  client_id: clientId,
  identifier: null,
  user_id: null,
  verification: null,
  oauth_flow_id: null,
  session_id: null,
  created_at: now,
  ...fields,
});

/** A user who forgot their password proves their identity with this code, and then sets a new one. */
export const RESET_STRATEGY = 'reset_password_email_code' as const;

export const needsNewPassword = ({ verification }: Pick<SignIn, 'verification'>): boolean =>
  verification?.strategy === RESET_STRATEGY && verification.status === 'verified';

/** First the identifier, then the factor, then the session. */
function decideSignIn(signIn: Pick<SignIn, 'user_id' | 'session_id' | 'verification'>) {
  if (signIn.session_id) return 'complete' as const;
  if (needsNewPassword(signIn)) return 'needs_new_password' as const;
  return signIn.user_id ? ('needs_first_factor' as const) : ('needs_identifier' as const);
}

function supportedFactors(user: User): SignInFirstFactorJSON[] {
  const email = primaryEmail(user);
  const address = email && { email_address_id: email.id, safe_identifier: email.email_address, primary: true };
  return [
    ...(user.password_enabled ? [{ strategy: 'password' as const }] : []),
    ...(address ? [{ strategy: 'email_code' as const, ...address }] : []),
    ...(address && user.password_enabled ? [{ strategy: RESET_STRATEGY, ...address } as const] : []),
    ...user.external_accounts.map(({ provider }) => ({ strategy: provider }) as SignInFirstFactorJSON),
  ];
}

/** The attempt as the browser sees it, with the factors that this user has. */
export function signInJson(signIn: SignIn, user: User | null, flow: OauthFlow | null, clerkUrl: string) {
  return {
    object: 'sign_in',
    id: signIn.id,
    status: decideSignIn(signIn),
    identifier: signIn.identifier ?? (user ? primaryAddress(user) : ''),
    supported_identifiers: ['email_address'],
    supported_first_factors: user ? supportedFactors(user) : null,
    supported_second_factors: null,
    first_factor_verification: flow ? oauthVerificationJson(flow, clerkUrl) : signIn.verification,
    second_factor_verification: null,
    user_data: user
      ? { first_name: user.first_name ?? '', last_name: user.last_name ?? '', image_url: AVATAR, has_image: false }
      : null,
    created_session_id: signIn.session_id,
  } satisfies Wire<Omit<SignInJSON, 'supported_first_factors'>> & {
    supported_first_factors: SignInFirstFactorJSON[] | null;
  };
}
