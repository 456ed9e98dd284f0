import type { PublicUserDataJSON, SessionJSON, SessionWithActivitiesJSON } from '@clerk/shared/types';
import type { SessionRecord, UserRecord } from '../records';
import { issueSessionToken } from '../session-token';
import { AVATAR } from './avatar';
import { userResource } from './user';
import type { Wire } from './wire';

const ABANDON_MS = 30 * 86_400_000;

export const primaryAddress = (user: UserRecord) =>
  (user.emails.find((email) => email.id === user.primaryEmailId) ?? user.emails[0])?.address ?? '';

function publicUserData(user: UserRecord) {
  return {
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: AVATAR,
    has_image: false,
    identifier: primaryAddress(user),
    user_id: user.id,
  } satisfies Wire<PublicUserDataJSON>;
}

export async function tokenResource(session: SessionRecord, origin: string, now: Date) {
  return { object: 'token' as const, jwt: await sessionToken(session, origin, now) };
}

export const sessionToken = (session: SessionRecord, origin: string, now: Date) =>
  issueSessionToken({ id: session.id, userId: session.user.id, verifiedAt: session.verifiedAt }, { origin, now });

/** The session with its user and a fresh token, as the browser sees it. */
export async function sessionResource(session: SessionRecord, origin: string, now: Date) {
  return {
    ...sessionFields(session),
    object: 'session' as const,
    tasks: null,
    factor_verification_age: [Math.floor((now.getTime() - session.verifiedAt.getTime()) / 60_000), -1] as [
      number,
      number,
    ],
    user: userResource(session.user),
    public_user_data: publicUserData(session.user),
    last_active_token: session.status === 'active' ? await tokenResource(session, origin, now) : null,
  } satisfies Wire<SessionJSON>;
}

function sessionFields(session: SessionRecord) {
  return {
    id: session.id,
    status: session.status as SessionJSON['status'],
    expire_at: session.expireAt.getTime(),
    abandon_at: session.createdAt.getTime() + ABANDON_MS,
    last_active_at: session.lastActiveAt.getTime(),
    last_active_organization_id: null,
    actor: null,
    created_at: session.createdAt.getTime(),
    updated_at: session.lastActiveAt.getTime(),
  };
}

/** The session as servers see it. */
export const backendSessionResource = (session: SessionRecord) => ({
  ...sessionFields(session),
  object: 'session' as const,
  client_id: session.clientId,
  user_id: session.user.id,
});

/** One of the user's devices on the account page. Where it is and what it runs is not recorded. */
export const sessionActivityResource = (session: SessionRecord) =>
  ({
    ...sessionFields(session),
    object: 'session' as const,
    user: null,
    latest_activity: { object: 'session_activity', id: `${session.id}_activity`, is_mobile: false },
  }) satisfies Wire<SessionWithActivitiesJSON>;
