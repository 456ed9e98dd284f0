import type { EmailAddressJSON, ExternalAccountJSON, UserJSON, VerificationJSON } from '@clerk/shared/types';
import { codeExpiresAt } from '../domain/verification-code';
import type { EmailRecord, ExternalAccountRecord, UserRecord } from '../records';
import { AVATAR } from './avatar';
import type { Wire } from './wire';

function emailVerification(email: EmailRecord) {
  return {
    object: 'verification',
    status: email.verifiedAt ? 'verified' : 'unverified',
    strategy: email.strategy,
    attempts: email.attempts,
    expire_at: email.codeSentAt ? codeExpiresAt(email.codeSentAt).getTime() : null,
  } satisfies Wire<VerificationJSON>;
}

export function emailResource(email: EmailRecord) {
  return {
    object: 'email_address',
    id: email.id,
    email_address: email.address,
    verification: email.verifiedAt || email.codeSentAt ? emailVerification(email) : null,
    linked_to: [],
    matches_sso_connection: false,
    created_at: email.createdAt.getTime(),
    updated_at: email.createdAt.getTime(),
  } satisfies Wire<EmailAddressJSON & { created_at: number; updated_at: number }>;
}

function externalAccountResource(account: ExternalAccountRecord) {
  return {
    object: 'external_account',
    id: account.id,
    provider: account.strategy as ExternalAccountJSON['provider'],
    identification_id: account.id,
    provider_user_id: account.providerUserId,
    approved_scopes: 'email profile',
    email_address: account.emailAddress,
    first_name: '',
    last_name: '',
    image_url: '',
    username: '',
    phone_number: '',
    public_metadata: {},
    label: '',
    verification: {
      object: 'verification',
      status: 'verified',
      strategy: account.strategy,
      attempts: null,
      expire_at: null,
    },
  } satisfies Wire<ExternalAccountJSON>;
}

/** The user as the browser sees it. */
export function userResource(user: UserRecord) {
  return {
    object: 'user',
    id: user.id,
    external_id: null,
    username: null,
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: AVATAR,
    has_image: false,
    primary_email_address_id: user.primaryEmailId,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    email_addresses: user.emails.map(emailResource),
    phone_numbers: [],
    web3_wallets: [],
    passkeys: [],
    external_accounts: user.externalAccounts.map(externalAccountResource),
    enterprise_accounts: [],
    organization_memberships: [],
    password_enabled: user.passwordHash !== null,
    totp_enabled: false,
    backup_code_enabled: false,
    two_factor_enabled: false,
    public_metadata: user.publicMetadata,
    unsafe_metadata: user.unsafeMetadata,
    create_organization_enabled: false,
    create_organizations_limit: null,
    delete_self_enabled: true,
    legal_accepted_at: null,
    last_sign_in_at: user.lastSignInAt?.getTime() ?? null,
    created_at: user.createdAt.getTime(),
    updated_at: user.updatedAt.getTime(),
  } satisfies Wire<UserJSON>;
}

/** The user as servers see it: in the Backend API and in webhooks. */
export function backendUserResource(user: UserRecord) {
  return {
    ...userResource(user),
    profile_image_url: AVATAR,
    private_metadata: user.privateMetadata,
    saml_accounts: [],
    banned: false,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: 100,
    last_active_at: user.lastSignInAt?.getTime() ?? null,
    mfa_enabled_at: null,
    mfa_disabled_at: null,
  };
}

/** Clerk's answer to a deletion, and the data of its webhook. */
export const deletedResource = (object: string, id: string) => ({ object, id, deleted: true });
