import type { PublicUserDataJSON, SessionJSON, SessionWithActivitiesJSON } from '@clerk/shared/types';
import { AVATAR, type Wire } from './json';
import { primaryAddress, type User, userJson } from './user';

const DAY_MS = 86_400_000;
const LIFETIME_MS = 7 * DAY_MS;
const ABANDON_MS = 30 * DAY_MS;

/** A session as the Backend API shows it. */
export type Session = {
  object: 'session';
  id: string;
  client_id: string;
  user_id: string;
  status: 'active' | 'ended' | 'removed' | 'revoked' | 'replaced';
  actor: null;
  last_active_organization_id: null;
  last_active_at: number;
  expire_at: number;
  abandon_at: number;
  created_at: number;
  updated_at: number;
};

export type EndedStatus = Exclude<Session['status'], 'active'>;

export const createSession = (ids: { id: string; clientId: string; userId: string }, now: number): Session => ({
  object: 'session',
  id: ids.id,
  client_id: ids.clientId,
  user_id: ids.userId,
  status: 'active',
  actor: null,
  last_active_organization_id: null,
  last_active_at: now,
  expire_at: now + LIFETIME_MS,
  abandon_at: now + ABANDON_MS,
  created_at: now,
  updated_at: now,
});

/** A session that was not ended expires. */
export const statusOf = ({ status, expire_at: expireAt }: Session, now: number): Session['status'] | 'expired' =>
  status === 'active' && expireAt <= now ? 'expired' : status;

export const isActive = (session: Session, now: number): boolean => statusOf(session, now) === 'active';

/** Minutes since the first factor was verified, and -1 for the second, as there is none. */
export const factorAge = (session: Session, now: number): [number, number] => [
  Math.floor((now - session.created_at) / 60_000),
  -1,
];

const publicUserDataJson = (user: User) =>
  ({
    first_name: user.first_name,
    last_name: user.last_name,
    image_url: AVATAR,
    has_image: false,
    identifier: primaryAddress(user),
    user_id: user.id,
  }) satisfies Wire<PublicUserDataJSON>;

/** The session with its user as the browser sees it. `token` is null once it has ended. */
export function sessionJson(session: Session, user: User, token: string | null, now: number) {
  return {
    ...withoutIds(session),
    tasks: null,
    factor_verification_age: factorAge(session, now),
    user: userJson(user),
    public_user_data: publicUserDataJson(user),
    last_active_token: token === null ? null : { object: 'token' as const, jwt: token },
  } satisfies Wire<SessionJSON>;
}

/** Browsers do not see the IDs of the session's user and client. */
function withoutIds({ user_id: _user, client_id: _client, ...session }: Session) {
  return { ...session, status: session.status as SessionJSON['status'] };
}

/** One of the user's devices on the account page. Its location and browser are not recorded. */
export const sessionActivityJson = (session: Session) =>
  ({
    ...withoutIds(session),
    user: null,
    latest_activity: { object: 'session_activity', id: `${session.id}_activity`, is_mobile: false },
  }) satisfies Wire<SessionWithActivitiesJSON>;
