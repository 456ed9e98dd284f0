import type { SignUpJSON, SignUpVerificationJSON } from '@clerk/shared/types';
import type { Metadata, Wire } from './json';
import { type OauthFlow, oauthVerificationJson } from './oauth';
import { needsCode, type Verification } from './verification';

const ABANDON_MS = 86_400_000;

/** A browser's attempt to sign up, until and after it is complete. */
export type SignUp = {
  id: string;
  client_id: string;
  email_address: string | null;
  has_password: boolean;
  first_name: string | null;
  last_name: string | null;
  unsafe_metadata: Metadata;
  verification: Verification | null;
  oauth_flow_id: string | null;
  /** The user and the session that it created. */
  user_id: string | null;
  session_id: string | null;
  created_at: number;
};

export const createSignUp = (id: string, clientId: string, fields: Partial<SignUp>, now: number): SignUp => ({
  id,
  client_id: clientId,
  email_address: null,
  has_password: false,
  first_name: null,
  last_name: null,
  unsafe_metadata: {},
  verification: null,
  oauth_flow_id: null,
  user_id: null,
  session_id: null,
  created_at: now,
  ...fields,
});

type Requirements = {
  isReady: boolean;
  missingFields: ('email_address' | 'password')[];
  unverifiedFields: 'email_address'[];
};

/**
 * What a sign-up attempt still lacks. If a "Continue with …" provider confirms the address, neither code nor
 * password is needed.
 */
export function decideSignUp(
  signUp: Pick<SignUp, 'email_address' | 'has_password' | 'verification'>,
  flow: Pick<OauthFlow, 'status' | 'profile'> | null,
): Requirements {
  const { email_address: address } = signUp;
  const hasAccount = flow?.status === 'verified';
  const isConfirmed = hasAccount && flow.profile?.email_address === address;
  const missingFields: Requirements['missingFields'] = [];
  if (!address) missingFields.push('email_address');
  if (!signUp.has_password && !hasAccount) missingFields.push('password');
  const isVerified = isConfirmed || signUp.verification?.status === 'verified';
  const unverifiedFields: Requirements['unverifiedFields'] =
    address && !isVerified && needsCode(address) ? ['email_address'] : [];
  return { isReady: missingFields.length === 0 && unverifiedFields.length === 0, missingFields, unverifiedFields };
}

/** The components send the code on their own if there is no strategy yet. */
function emailVerificationJson(verification: Verification | null) {
  const isVerified = verification?.status === 'verified';
  return {
    object: 'verification',
    status: verification?.status ?? 'unverified',
    strategy: verification?.strategy ?? null,
    attempts: verification?.attempts ?? 0,
    expire_at: verification?.expire_at ?? null,
    next_action: isVerified ? '' : verification ? 'needs_attempt' : 'needs_prepare',
    supported_strategies: ['email_code'],
  } satisfies Wire<SignUpVerificationJSON>;
}

/** The attempt as the browser sees it, with what it still lacks. */
export function signUpJson(signUp: SignUp, flow: OauthFlow | null, clerkUrl: string) {
  const { missingFields, unverifiedFields } = decideSignUp(signUp, flow);
  const isComplete = signUp.user_id !== null;
  return {
    object: 'sign_up',
    id: signUp.id,
    status: isComplete ? 'complete' : 'missing_requirements',
    required_fields: ['email_address', 'password'],
    optional_fields: ['first_name', 'last_name'],
    missing_fields: isComplete ? [] : missingFields,
    unverified_fields: isComplete ? [] : unverifiedFields,
    verifications: {
      email_address: signUp.email_address ? emailVerificationJson(signUp.verification) : null,
      phone_number: null,
      web3_wallet: null,
      external_account: flow ? oauthVerificationJson(flow, clerkUrl) : null,
    },
    username: null,
    first_name: signUp.first_name,
    last_name: signUp.last_name,
    email_address: signUp.email_address,
    phone_number: null,
    web3_wallet: null,
    external_account: null,
    external_account_strategy: flow?.strategy ?? null,
    has_password: signUp.has_password,
    unsafe_metadata: signUp.unsafe_metadata,
    created_session_id: signUp.session_id,
    created_user_id: signUp.user_id,
    abandon_at: signUp.created_at + ABANDON_MS,
    legal_accepted_at: null,
    locale: null,
  } satisfies Wire<SignUpJSON>;
}
