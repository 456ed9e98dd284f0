import type { VerificationJSON } from '@clerk/shared/types';
import { visitExpiresAt } from '../domain/oauth-provider';
import type { OauthFlowRecord } from '../records';
import type { Wire } from './wire';

const MESSAGES: Record<string, string> = {
  external_account_not_found: 'The External Account was not found.',
  external_account_exists: 'This External Account already exists.',
  oauth_access_denied: 'You did not grant access to your account.',
};

/** The consent page of the local provider, on the origin that the visit started from. */
const authorizeUrl = (flow: OauthFlowRecord) => new URL(`/sandbox/clerk-oauth?state=${flow.id}`, flow.redirectUrl).href;

/** Where the visit to the "Continue with …" provider stands. */
export function oauthVerification(flow: OauthFlowRecord) {
  return {
    object: 'verification',
    status: flow.status as VerificationJSON['status'],
    strategy: flow.strategy,
    attempts: null,
    expire_at: visitExpiresAt(flow).getTime(),
    ...(flow.status === 'unverified' && { external_verification_redirect_url: authorizeUrl(flow) }),
    ...(flow.errorCode && {
      error: {
        code: flow.errorCode,
        message: MESSAGES[flow.errorCode] ?? flow.errorCode,
        long_message: MESSAGES[flow.errorCode] ?? flow.errorCode,
      },
    }),
  } satisfies Wire<VerificationJSON>;
}
