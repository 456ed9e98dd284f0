import type { SignInRecord } from '../records';

export type SignInStatus = 'needs_identifier' | 'needs_first_factor' | 'complete';

/** Where an attempt to sign in stands: who, then proof, then a session. */
export function decideSignIn(signIn: Pick<SignInRecord, 'user' | 'createdSessionId'>): SignInStatus {
  if (signIn.createdSessionId) return 'complete';
  return signIn.user ? 'needs_first_factor' : 'needs_identifier';
}
