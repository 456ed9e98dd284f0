// "Continue with …": a visit to the provider and its outcome. The provider is a page of the emulator.
import type { VerificationJSON } from '@clerk/shared/types';
import type { Wire } from './json';
import type { Bar } from './user';

export const OAUTH_PROVIDER = { strategy: 'oauth_custom_postbox', name: 'Postbox' } as const;

const LIFETIME_MS = 10 * 60_000;

/** What the provider says about the person. */
export type OauthProfile = {
  provider_user_id: string;
  email_address: string;
  first_name: string | null;
  last_name: string | null;
};

/** One visit of one browser to the provider; its ID travels as the state parameter. */
export type OauthFlow = {
  id: string;
  client_id: string;
  strategy: string;
  /** Where the browser continues: with the attempt, or signed in. */
  redirect_url: string;
  complete_url: string;
  status: 'unverified' | 'verified' | 'transferable' | 'failed';
  error_code: keyof typeof ERRORS | null;
  profile: OauthProfile | null;
  /** The user that it ended with. */
  user_id: string | null;
  created_at: number;
};

const ERRORS = {
  external_account_not_found: 'The External Account was not found.',
  external_account_exists: 'This External Account already exists.',
  oauth_access_denied: 'You did not grant access to your account.',
  user_banned: 'User banned',
  user_locked: 'Your account is locked.',
} as const;

const expiresAt = (flow: Pick<OauthFlow, 'created_at'>): number => flow.created_at + LIFETIME_MS;

/** Whether the consent page still accepts a decision. A flow finishes once. */
export const isOpen = (flow: Pick<OauthFlow, 'status' | 'created_at'>, now: number): boolean =>
  flow.status === 'unverified' && now <= expiresAt(flow);

export type OauthPurpose = 'sign_in' | 'sign_up' | 'connect';

export type OauthOutcome =
  | { kind: 'failed'; errorCode: 'oauth_access_denied' | 'external_account_exists' | Bar }
  /** The browser asks again for the other purpose: this turns a sign-in into a sign-up, or the reverse. */
  | { kind: 'transferable'; errorCode: 'external_account_not_found' | 'external_account_exists' }
  | { kind: 'sign_in'; userId: string }
  | { kind: 'sign_up' }
  | { kind: 'connect'; userId: string };

type Visit = {
  purpose: OauthPurpose;
  isGranted: boolean;
  /** The user who has this account or has verified its address, if there is one. */
  ownerId: string | null;
  /** Why that user cannot sign in, if they cannot. */
  ownerBar?: Bar | null;
  /** The user who is signed in, if there is one. */
  signedInId: string | null;
};

/** The outcome of a visit to the provider. */
export function decideOauth({ purpose, isGranted, ownerId, ownerBar, signedInId }: Visit): OauthOutcome {
  if (!isGranted) return { kind: 'failed', errorCode: 'oauth_access_denied' };
  switch (purpose) {
    case 'sign_in':
      if (ownerBar) return { kind: 'failed', errorCode: ownerBar };
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

/**
 * The state of a flow, as the attempt shows it.
 * @param clerkUrl the address of this API, which serves the consent page
 */
export function oauthVerificationJson(flow: OauthFlow, clerkUrl: string) {
  const message = flow.error_code && ERRORS[flow.error_code];
  return {
    object: 'verification',
    status: flow.status as VerificationJSON['status'],
    strategy: flow.strategy,
    attempts: null,
    expire_at: expiresAt(flow),
    ...(flow.status === 'unverified' && {
      external_verification_redirect_url: `${clerkUrl}/oauth/authorize?state=${flow.id}`,
    }),
    ...(flow.error_code && message && { error: { code: flow.error_code, message, long_message: message } }),
  } satisfies Wire<VerificationJSON>;
}
