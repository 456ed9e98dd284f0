import type { SignInFirstFactorJSON, SignInJSON, VerificationJSON } from '@clerk/shared/types';
import { decideSignIn } from '../domain/decide-sign-in';
import { codeExpiresAt } from '../domain/verification-code';
import type { SignInRecord, UserRecord } from '../records';
import { AVATAR } from './avatar';
import { oauthVerification } from './oauth';
import { primaryAddress } from './session';
import type { Wire } from './wire';

function supportedFactors(user: UserRecord): SignInFirstFactorJSON[] {
  const email = user.emails.find((candidate) => candidate.id === user.primaryEmailId) ?? user.emails[0];
  return [
    ...(user.passwordHash ? [{ strategy: 'password' as const }] : []),
    ...(email
      ? [{ strategy: 'email_code' as const, email_address_id: email.id, safe_identifier: email.address, primary: true }]
      : []),
    ...user.externalAccounts.map((account) => ({ strategy: account.strategy }) as SignInFirstFactorJSON),
  ];
}

function firstFactorVerification(signIn: SignInRecord) {
  if (signIn.oauthFlow) return oauthVerification(signIn.oauthFlow);
  if (!signIn.codeSentAt) return null;
  return {
    object: 'verification',
    status: signIn.createdSessionId ? 'verified' : 'unverified',
    strategy: 'email_code',
    attempts: signIn.attempts,
    expire_at: codeExpiresAt(signIn.codeSentAt).getTime(),
  } satisfies Wire<VerificationJSON>;
}

/** The attempt to sign in, with the ways that are open to this user. */
export function signInResource(signIn: SignInRecord) {
  const { user } = signIn;
  return {
    object: 'sign_in',
    id: signIn.id,
    status: decideSignIn(signIn),
    identifier: signIn.identifier ?? (user ? primaryAddress(user) : ''),
    supported_identifiers: ['email_address'],
    supported_first_factors: user ? supportedFactors(user) : null,
    supported_second_factors: null,
    first_factor_verification: firstFactorVerification(signIn),
    second_factor_verification: null,
    user_data: user
      ? { first_name: user.firstName ?? '', last_name: user.lastName ?? '', image_url: AVATAR, has_image: false }
      : null,
    created_session_id: signIn.createdSessionId,
  } satisfies Wire<Omit<SignInJSON, 'supported_first_factors'>> & {
    supported_first_factors: SignInFirstFactorJSON[] | null;
  };
}
