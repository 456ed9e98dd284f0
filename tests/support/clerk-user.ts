import type { UserJSON, WebhookEvent } from '@clerk/nextjs/server';

type Fields = { id: string; createdAt?: number; unsafeMetadata?: unknown; emails?: string[] };

/** A user as Clerk's Backend API and its webhooks show one. */
export function clerkUser({ id, createdAt = 1_780_000_000_000, unsafeMetadata = {}, emails = [] }: Fields): UserJSON {
  const email_addresses = emails.map((email_address, index) => emailAddress(`idn_${id}_${index}`, email_address));
  return {
    object: 'user',
    id,
    username: null,
    first_name: null,
    last_name: null,
    image_url: '',
    has_image: false,
    primary_email_address_id: email_addresses[0]?.id ?? null,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    password_enabled: true,
    two_factor_enabled: false,
    totp_enabled: false,
    backup_code_enabled: false,
    email_addresses,
    phone_numbers: [],
    web3_wallets: [],
    organization_memberships: null,
    external_accounts: [],
    enterprise_accounts: [],
    password_last_updated_at: null,
    public_metadata: {},
    private_metadata: {},
    unsafe_metadata: unsafeMetadata as UserJSON['unsafe_metadata'], // user-controlled input: any JSON
    external_id: null,
    last_sign_in_at: createdAt,
    banned: false,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: null,
    created_at: createdAt,
    updated_at: createdAt,
    last_active_at: null,
    create_organization_enabled: false,
    create_organizations_limit: null,
    delete_self_enabled: true,
    legal_accepted_at: null,
    locale: null,
  };
}

const emailAddress = (id: string, email_address: string): UserJSON['email_addresses'][number] => ({
  object: 'email_address',
  id,
  email_address,
  verification: null,
  linked_to: [],
});

const event_attributes = { http_request: { client_ip: '203.0.113.1', user_agent: 'test' } };

export const userCreated = (user: UserJSON): WebhookEvent => ({
  type: 'user.created',
  object: 'event',
  data: user,
  event_attributes,
});

export const userUpdated = (data: UserJSON): WebhookEvent => ({
  type: 'user.updated',
  object: 'event',
  data,
  event_attributes,
});

export const userDeleted = (id: string): WebhookEvent => ({
  type: 'user.deleted',
  object: 'event',
  data: { object: 'user', id, deleted: true },
  event_attributes,
});
