import type { SignUpJSON, SignUpVerificationJSON } from '@clerk/shared/types';
import { decideSignUp } from '../domain/decide-sign-up';
import { codeExpiresAt } from '../domain/verification-code';
import type { SignUpRecord } from '../records';
import { oauthVerification } from './oauth';
import type { Wire } from './wire';

const ABANDON_MS = 86_400_000;

function emailVerification(signUp: SignUpRecord) {
  const isVerified = signUp.verifiedAt !== null;
  return {
    object: 'verification',
    status: isVerified ? 'verified' : 'unverified',
    strategy: signUp.codeSentAt ? 'email_code' : null, // the components send the code where there is no strategy yet
    attempts: signUp.attempts,
    expire_at: signUp.codeSentAt ? codeExpiresAt(signUp.codeSentAt).getTime() : null,
    next_action: isVerified ? '' : signUp.codeSentAt ? 'needs_attempt' : 'needs_prepare',
    supported_strategies: ['email_code'],
  } satisfies Wire<SignUpVerificationJSON>;
}

/** The attempt to sign up, with what it still lacks. */
export function signUpResource(signUp: SignUpRecord) {
  const { status, missingFields, unverifiedFields } = decideSignUp(signUp);
  return {
    object: 'sign_up',
    id: signUp.id,
    status: signUp.createdUserId ? 'complete' : status === 'ready' ? 'missing_requirements' : status,
    required_fields: ['email_address', 'password'],
    optional_fields: ['first_name', 'last_name'],
    missing_fields: missingFields,
    unverified_fields: unverifiedFields,
    verifications: {
      email_address: signUp.emailAddress ? emailVerification(signUp) : null,
      phone_number: null,
      web3_wallet: null,
      external_account: signUp.oauthFlow ? oauthVerification(signUp.oauthFlow) : null,
    },
    username: null,
    first_name: signUp.firstName,
    last_name: signUp.lastName,
    email_address: signUp.emailAddress,
    phone_number: null,
    web3_wallet: null,
    external_account: null,
    external_account_strategy: signUp.oauthFlow?.strategy ?? null,
    has_password: signUp.passwordHash !== null,
    unsafe_metadata: signUp.unsafeMetadata,
    created_session_id: signUp.createdSessionId,
    created_user_id: signUp.createdUserId,
    abandon_at: signUp.createdAt.getTime() + ABANDON_MS,
    legal_accepted_at: null,
    locale: null,
  } satisfies Wire<SignUpJSON>;
}
