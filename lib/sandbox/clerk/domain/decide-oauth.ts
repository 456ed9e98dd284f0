/** What the visit to the provider was for. */
export type OauthPurpose = 'sign_in' | 'sign_up' | 'connect';

export type OauthOutcome =
  | { kind: 'failed'; errorCode: 'oauth_access_denied' | 'external_account_exists' }
  /** The browser asks again, for the other purpose: this is where a sign-in becomes a sign-up. */
  | { kind: 'transferable'; errorCode: 'external_account_not_found' | 'external_account_exists' }
  | { kind: 'sign_in'; userId: string }
  | { kind: 'sign_up' }
  | { kind: 'connect'; userId: string };

type Visit = {
  purpose: OauthPurpose;
  isGranted: boolean;
  /** The user who has this account or has verified its address, if there is one. */
  ownerId: string | null;
  /** The user who is signed in, if there is one. */
  signedInId: string | null;
};

/** What follows from a visit to the provider. */
export function decideOauth({ purpose, isGranted, ownerId, signedInId }: Visit): OauthOutcome {
  if (!isGranted) return { kind: 'failed', errorCode: 'oauth_access_denied' };
  switch (purpose) {
    case 'sign_in':
      return ownerId
        ? { kind: 'sign_in', userId: ownerId }
        : { kind: 'transferable', errorCode: 'external_account_not_found' };
    case 'sign_up':
      return ownerId ? { kind: 'transferable', errorCode: 'external_account_exists' } : { kind: 'sign_up' };
    case 'connect':
      return signedInId && (ownerId === null || ownerId === signedInId)
        ? { kind: 'connect', userId: signedInId }
        : { kind: 'failed', errorCode: 'external_account_exists' };
    default:
      return purpose satisfies never;
  }
}
