// One browser: its session and the attempts that it has in progress.
import { createHash, randomBytes } from 'node:crypto';
import type { ClientJSON } from '@clerk/shared/types';
import type { Wire } from './objects/json';
import type { OauthFlow } from './objects/oauth';
import { createSession, type EndedStatus, isActive, type Session, sessionJson } from './objects/session';
import { type SignIn, signInJson } from './objects/sign-in';
import { type SignUp, signUpJson } from './objects/sign-up';
import type { User } from './objects/user';
import { type Client, newId, type Store } from './store';

export type SignedIn = { session: Session; user: User };
export type SignInAttempt = { signIn: SignIn; user: User | null; flow: OauthFlow | null };
export type SignUpAttempt = { signUp: SignUp; flow: OauthFlow | null };

export type Browser = {
  client: Client;
  signedIn: SignedIn | null;
  signIn: SignInAttempt | null;
  signUp: SignUpAttempt | null;
};

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** A new browser. Its token is returned once, for the cookie; only the hash is kept. */
export async function createClient(store: Store, now: number): Promise<{ client: Client; token: string }> {
  const token = randomBytes(32).toString('base64url');
  const client: Client = {
    id: newId('client'),
    session_id: null,
    sign_in_id: null,
    sign_up_id: null,
    created_at: now,
    updated_at: now,
  };
  await store.insert('client', client);
  await store.reserve('client', hashToken(token), client.id);
  return { client, token };
}

/** The browser that holds this token, or null. */
export async function findBrowser(store: Store, token: string, now: number): Promise<Browser | null> {
  const id = await store.holderOf('client', hashToken(token));
  return id ? loadBrowser(store, id, now) : null;
}

/** @throws if there is no such client: only a reset removes clients */
export async function loadBrowser(store: Store, clientId: string, now: number): Promise<Browser> {
  const client = await store.find('client', clientId);
  if (!client) throw new Error(`There is no client ${clientId}.`);
  return {
    client,
    signedIn: client.session_id ? await loadSession(store, client.session_id, now) : null,
    signIn: client.sign_in_id ? await loadSignIn(store, client.sign_in_id) : null,
    signUp: client.sign_up_id ? await loadSignUp(store, client.sign_up_id) : null,
  };
}

async function loadSession(store: Store, id: string, now: number): Promise<SignedIn | null> {
  const session = await store.find('session', id);
  const user = session && isActive(session, now) ? await store.find('user', session.user_id) : null;
  return session && user ? { session, user } : null;
}

/** A sign-in attempt, complete or not; null if there is none. */
export async function loadSignIn(store: Store, id: string): Promise<SignInAttempt | null> {
  const signIn = await store.find('sign_in', id);
  if (!signIn) return null;
  const user = signIn.user_id ? await store.find('user', signIn.user_id) : null;
  return { signIn, user, flow: await loadFlow(store, signIn) };
}

/** A sign-up attempt, complete or not; null if there is none. */
export async function loadSignUp(store: Store, id: string): Promise<SignUpAttempt | null> {
  const signUp = await store.find('sign_up', id);
  return signUp && { signUp, flow: await loadFlow(store, signUp) };
}

const loadFlow = async (store: Store, { oauth_flow_id: id }: SignIn | SignUp): Promise<OauthFlow | null> =>
  id ? store.find('oauth_flow', id) : null;

const NOTHING_IN_PROGRESS = { sign_in_id: null, sign_up_id: null };

/** Signs a user in. Single-session mode: the new session replaces the one before. */
export async function startSession(store: Store, client: Client, user: User, now: number): Promise<Session> {
  await endSession(store, client, 'replaced', now);
  const session = createSession({ id: newId('sess'), clientId: client.id, userId: user.id }, now);
  await store.insert('session', session);
  await store.save('user', { ...user, last_sign_in_at: now });
  await store.save('client', { ...client, ...NOTHING_IN_PROGRESS, session_id: session.id, updated_at: now });
  return session;
}

/** Signs a browser out and forgets its attempts. */
export async function endSession(store: Store, client: Client, status: EndedStatus, now: number): Promise<void> {
  const session = client.session_id ? await store.find('session', client.session_id) : null;
  if (session?.status === 'active') await store.save('session', { ...session, status, updated_at: now });
  await store.save('client', { ...client, ...NOTHING_IN_PROGRESS, session_id: null, updated_at: now });
}

type Rendering = { clerkUrl: string; token: string | null; now: number };

/** Part of almost every response: the browser with its session and its attempts. */
export function clientJson({ client, signedIn, signIn, signUp }: Browser, { clerkUrl, token, now }: Rendering) {
  return {
    object: 'client',
    id: client.id,
    sessions: signedIn ? [sessionJson(signedIn.session, signedIn.user, token, now)] : [],
    sign_in: signIn ? signInJson(signIn.signIn, signIn.user, signIn.flow, clerkUrl) : null,
    sign_up: signUp ? signUpJson(signUp.signUp, signUp.flow, clerkUrl) : null,
    last_active_session_id: signedIn?.session.id ?? null,
    captcha_bypass: false,
    cookie_expires_at: null,
    last_authentication_strategy: null,
    created_at: client.created_at,
    updated_at: client.updated_at,
  } satisfies Wire<ClientJSON>;
}
