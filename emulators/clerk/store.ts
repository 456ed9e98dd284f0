// What an instance stores for Clerk, within one transaction.
import type { Sql } from '../core/database';
import { createId } from '../core/ids';
import { Objects } from '../core/objects';
import { clerkErrors } from './errors';
import type { OauthFlow } from './objects/oauth';
import { type Session, statusOf } from './objects/session';
import type { SignIn } from './objects/sign-in';
import type { SignUp } from './objects/sign-up';
import type { ExternalAccount, User } from './objects/user';

/** One browser with its session and the attempts in progress. It is found by the token in its cookie. */
export type Client = {
  id: string;
  session_id: string | null;
  sign_in_id: string | null;
  sign_up_id: string | null;
  created_at: number;
  updated_at: number;
};

/** Users and sessions are stored as the Backend API shows them; what only browsers see, as a record. */
type ClerkObjects = {
  user: User;
  session: Session;
  client: Client;
  sign_up: SignUp;
  sign_in: SignIn;
  oauth_flow: OauthFlow;
};

/** Stored with a user or a sign-up, never shown. */
export type PasswordHash = { password_hash?: string };

type IdPrefix = 'user' | 'idn' | 'eac' | 'client' | 'sess' | 'sia' | 'sua' | 'oau' | 'sit' | 'tst' | 'msg' | 'trace';

export const newId = (prefix: IdPrefix): string => createId(prefix, 27);

const accountKey = ({ provider, provider_user_id: id }: Pick<ExternalAccount, 'provider' | 'provider_user_id'>) =>
  `${provider}:${id}`;

const externalKey = (externalId: string) => `external_id:${externalId}`;

export class Store extends Objects<ClerkObjects> {
  constructor(sql: Sql) {
    super(sql, 'clerk');
  }

  /** The user who has verified this address, or null. */
  findUserByEmail(address: string): Promise<User | null> {
    return this.holder(address.trim().toLowerCase());
  }

  /** The user who has connected this account of the "Continue with …" provider, or null. */
  findUserByAccount(account: Pick<ExternalAccount, 'provider' | 'provider_user_id'>): Promise<User | null> {
    return this.holder(accountKey(account));
  }

  private async holder(value: string): Promise<User | null> {
    const id = await this.holderOf('user', value);
    return id ? this.find('user', id) : null;
  }

  /** @throws form_identifier_exists if another user has the address, the connected account or the external ID */
  async insertUser(user: User, passwordHash: string | null): Promise<void> {
    await this.insert('user', user, { internal: passwordHash ? { password_hash: passwordHash } : {} });
    for (const { email_address: address } of user.email_addresses) await this.reserveEmail(address, user.id);
    for (const account of user.external_accounts) await this.reserveAccount(account, user.id);
    await this.reserveExternalId(user, null);
  }

  /** Gives a verified address to one user. An unverified address belongs to no user. */
  async reserveEmail(address: string, userId: string): Promise<void> {
    if (!(await this.reserve('user', address, userId))) throw clerkErrors.identifierExists();
  }

  async reserveAccount(account: ExternalAccount, userId: string): Promise<void> {
    if (!(await this.reserve('user', accountKey(account), userId))) throw clerkErrors.identifierExists();
  }

  /** Reserves a user's external ID, and releases the previous one. */
  async reserveExternalId({ id, external_id: wanted }: User, had: string | null): Promise<void> {
    if (wanted === had) return;
    if (had) await this.release('user', externalKey(had));
    if (wanted && !(await this.reserve('user', externalKey(wanted), id))) throw clerkErrors.externalIdExists();
  }

  releaseEmail(address: string): Promise<void> {
    return this.release('user', address);
  }

  releaseAccount(account: ExternalAccount): Promise<void> {
    return this.release('user', accountKey(account));
  }

  /** Removes a user with everything that belongs to them: sessions, attempts, addresses, accounts. */
  async removeUser(id: string): Promise<void> {
    const ofUser = JSON.stringify({ user_id: id });
    await this.sql("DELETE FROM object WHERE type LIKE 'clerk.%' AND data @> $1::jsonb", [ofUser]);
    await this.remove('user', id);
  }

  /** A user's sessions that have neither ended nor expired, newest first. */
  activeSessions(userId: string, now: number): Promise<Session[]> {
    return this.sessionsOf(userId, 'active', now);
  }

  /** A user's sessions with this status, or with any, newest first. */
  async sessionsOf(userId: string, status: string | null, now: number): Promise<Session[]> {
    const sessions = await this.all('session', { user_id: userId });
    return sessions.filter((session) => status === null || statusOf(session, now) === status).reverse();
  }

  /** Ends a user's active sessions except the given one. */
  async revokeSessions(userId: string, now: number, kept?: string): Promise<void> {
    for (const session of await this.activeSessions(userId, now)) {
      if (session.id !== kept) await this.save('session', { ...session, status: 'revoked', updated_at: now });
    }
  }
}
