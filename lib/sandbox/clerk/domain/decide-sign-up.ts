import type { SignUpRecord } from '../records';
import { needsCode } from './verification-code';

export type SignUpDecision = {
  status: 'missing_requirements' | 'ready';
  missingFields: ('email_address' | 'password')[];
  unverifiedFields: 'email_address'[];
};

/**
 * What an attempt to sign up still lacks. An address needs a code by its form (docs/decisions/0041), or none where the
 * "Continue with …" provider vouches for it; that provider also stands in for a password.
 */
export function decideSignUp(
  signUp: Pick<SignUpRecord, 'emailAddress' | 'passwordHash' | 'verifiedAt' | 'oauthFlow'>,
): SignUpDecision {
  const isVouchedFor = signUp.oauthFlow?.status === 'verified' && signUp.oauthFlow.emailAddress === signUp.emailAddress;
  const missingFields: SignUpDecision['missingFields'] = [];
  if (!signUp.emailAddress) missingFields.push('email_address');
  if (!signUp.passwordHash && signUp.oauthFlow?.status !== 'verified') missingFields.push('password');
  const isUnverified =
    signUp.emailAddress !== null && !signUp.verifiedAt && !isVouchedFor && needsCode(signUp.emailAddress);
  const unverifiedFields: SignUpDecision['unverifiedFields'] = isUnverified ? ['email_address'] : [];
  const isReady = missingFields.length === 0 && unverifiedFields.length === 0;
  return { status: isReady ? 'ready' : 'missing_requirements', missingFields, unverifiedFields };
}
