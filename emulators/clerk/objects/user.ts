import type { EmailAddressJSON, ExternalAccountJSON, UserJSON, VerificationJSON } from '@clerk/shared/types';
import { AVATAR, type Metadata, type Wire } from './json';
import { type Verification, verifiedBy } from './verification';

export type EmailAddress = {
  object: 'email_address';
  id: string;
  email_address: string;
  verification: Verification | null;
  created_at: number;
};

export type ExternalAccount = {
  object: 'external_account';
  id: string;
  provider: string;
  provider_user_id: string;
  email_address: string;
};

/** A user as the Backend API shows it, without the fields that are the same for every user here. */
export type User = {
  object: 'user';
  id: string;
  external_id: string | null;
  first_name: string | null;
  last_name: string | null;
  primary_email_address_id: string;
  email_addresses: EmailAddress[];
  external_accounts: ExternalAccount[];
  password_enabled: boolean;
  /** Set by a server: the user cannot sign in. Browsers do not see it. */
  banned?: boolean;
  locked?: boolean;
  public_metadata: Metadata;
  private_metadata: Metadata;
  unsafe_metadata: Metadata;
  last_sign_in_at: number | null;
  created_at: number;
  updated_at: number;
};

export type Bar = 'user_banned' | 'user_locked';

/** Why a user cannot sign in, if they cannot. */
export function barOf({ banned, locked }: User): Bar | null {
  if (banned) return 'user_banned';
  return locked ? 'user_locked' : null;
}

type NewUser = Partial<
  Pick<
    User,
    | 'external_id'
    | 'first_name'
    | 'last_name'
    | 'public_metadata'
    | 'private_metadata'
    | 'unsafe_metadata'
    | 'last_sign_in_at'
  >
> & {
  id: string;
  emailId: string;
  address: string;
  verification?: Verification;
  account?: ExternalAccount | null;
  hasPassword: boolean;
};

/** A new user with one verified address. */
export function createUser(
  { id, emailId, address, verification, account, hasPassword, ...rest }: NewUser,
  now: number,
): User {
  const email = createEmail({ id: emailId, address, verification: verification ?? verifiedBy('admin') }, now);
  return {
    object: 'user',
    id,
    external_id: null,
    first_name: null,
    last_name: null,
    primary_email_address_id: emailId,
    email_addresses: [email],
    external_accounts: account ? [account] : [],
    password_enabled: hasPassword,
    public_metadata: {},
    private_metadata: {},
    unsafe_metadata: {},
    last_sign_in_at: null,
    created_at: now,
    updated_at: now,
    ...rest,
  };
}

type NewEmail = { id: string; address: string; verification: Verification | null };

export const createEmail = ({ id, address, verification }: NewEmail, now: number): EmailAddress => ({
  object: 'email_address',
  id,
  email_address: address,
  verification,
  created_at: now,
});

export const isVerified = ({ verification }: EmailAddress): boolean => verification?.status === 'verified';

/** The address that identifies a user: the primary one. */
export function primaryEmail(user: User): EmailAddress | undefined {
  const { email_addresses: emails, primary_email_address_id: primary } = user;
  return emails.find(({ id }) => id === primary) ?? emails[0];
}

export const primaryAddress = (user: User): string => primaryEmail(user)?.email_address ?? '';

export function emailJson(email: EmailAddress) {
  return {
    ...email,
    linked_to: [],
    matches_sso_connection: false,
    updated_at: email.created_at,
  } satisfies Wire<EmailAddressJSON & { created_at: number; updated_at: number }>;
}

function externalAccountJson(account: ExternalAccount) {
  return {
    ...account,
    provider: account.provider as ExternalAccountJSON['provider'],
    identification_id: account.id,
    approved_scopes: 'email profile',
    first_name: '',
    last_name: '',
    image_url: '',
    username: '',
    phone_number: '',
    public_metadata: {},
    label: '',
    verification: verifiedBy(account.provider) satisfies Wire<VerificationJSON>,
  } satisfies Wire<ExternalAccountJSON>;
}

/** The user as the browser sees it. */
export function userJson({ private_metadata: _private, banned: _banned, locked: _locked, ...user }: User) {
  return {
    ...user,
    email_addresses: user.email_addresses.map(emailJson),
    external_accounts: user.external_accounts.map(externalAccountJson),
    username: null,
    image_url: AVATAR,
    has_image: false,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    phone_numbers: [],
    web3_wallets: [],
    passkeys: [],
    enterprise_accounts: [],
    organization_memberships: [],
    totp_enabled: false,
    backup_code_enabled: false,
    two_factor_enabled: false,
    create_organization_enabled: false,
    create_organizations_limit: null,
    delete_self_enabled: true,
    legal_accepted_at: null,
  } satisfies Wire<UserJSON>;
}

/** The user as servers see it: in the Backend API and in webhooks. */
export const backendUserJson = (user: User) => ({
  ...userJson(user),
  profile_image_url: AVATAR,
  private_metadata: user.private_metadata,
  saml_accounts: [],
  banned: user.banned ?? false,
  locked: user.locked ?? false,
  lockout_expires_in_seconds: null,
  verification_attempts_remaining: 100,
  last_active_at: user.last_sign_in_at,
  mfa_enabled_at: null,
  mfa_disabled_at: null,
});
