// The account page: the signed-in user changes their own data.
import { Hono } from 'hono';
import { type BrowserCall, type Endpoints, json, pathId, refresh, requireSession, respond } from '../call';
import { clerkErrors } from '../errors';
import { withinLimit } from '../form';
import { startOauth } from '../oauth';
import { deletedJson, mergeMetadata } from '../objects/json';
import { oauthVerificationJson } from '../objects/oauth';
import { sessionActivityJson } from '../objects/session';
import { type User, userJson } from '../objects/user';
import { hashPassword, isPassword } from '../passwords';
import type { PasswordHash } from '../store';
import { changeUser, deleteUser, readPrimaryId } from '../users';

export function meRoutes({ browser }: Endpoints): Hono {
  return new Hono()
    .get('/', browser(readMe))
    .patch('/', browser(updateMe))
    .delete('/', browser(deleteMe))
    .patch('/metadata', browser(mergeMyMetadata))
    .post('/change_password', browser(changePassword))
    .get('/sessions/active', browser(listMySessions))
    .post('/sessions/:id/revoke', browser(revokeMySession))
    .post('/external_accounts', browser(startConnecting))
    .delete('/external_accounts/:id', browser(disconnect));
}

const readMe = (call: BrowserCall) => respond(call, userJson(requireSession(call).user));

async function change(call: BrowserCall, user: User, passwordHash?: string): Promise<void> {
  await changeUser(call, user, passwordHash);
  await refresh(call);
}

/** Name, primary address, and `unsafe_metadata` as a whole. */
async function updateMe(call: BrowserCall): Promise<Response> {
  const { form } = call;
  const { user } = requireSession(call);
  form.refuse(['username', 'primary_phone_number_id', 'primary_web3_wallet_id'], 'users');
  const metadata = form.metadata('unsafe_metadata');
  const primaryId = readPrimaryId(form, user);
  await change(call, {
    ...user,
    ...form.names(),
    ...(metadata && { unsafe_metadata: metadata }),
    ...(primaryId && { primary_email_address_id: primaryId }),
  });
  return readMe(call);
}

/** Merges into `unsafe_metadata`; the browser may not write any other metadata. */
async function mergeMyMetadata(call: BrowserCall): Promise<Response> {
  const { user } = requireSession(call);
  const changes = call.form.metadata('unsafe_metadata') ?? {};
  const merged = withinLimit('unsafe_metadata', mergeMetadata(user.unsafe_metadata, changes));
  await change(call, { ...user, unsafe_metadata: merged });
  return readMe(call);
}

/** A user who came through a provider sets their first password here. */
async function changePassword(call: BrowserCall): Promise<Response> {
  const { form, store, now } = call;
  const { user, session } = requireSession(call);
  const password = form.newPassword('new_password');
  if (!password) throw clerkErrors.missing('new_password');
  const { password_hash: hash } = await store.internal<PasswordHash>(user.id);
  if (hash && !(await isPassword(form.text('current_password') ?? '', hash))) {
    throw clerkErrors.passwordIncorrect('current_password');
  }
  await change(call, { ...user, password_enabled: true }, await hashPassword(password));
  if (form.isTrue('sign_out_of_other_sessions')) await store.revokeSessions(user.id, now, session.id);
  return readMe(call);
}

async function deleteMe(call: BrowserCall): Promise<Response> {
  const { user } = requireSession(call);
  await deleteUser(call, user);
  await refresh(call);
  return respond(call, deletedJson('user', user.id));
}

/** The user's devices. Without the envelope. */
async function listMySessions(call: BrowserCall): Promise<Response> {
  const { user } = requireSession(call);
  return json((await call.store.activeSessions(user.id, call.now)).map(sessionActivityJson));
}

async function revokeMySession(call: BrowserCall): Promise<Response> {
  const { store, now } = call;
  const { user } = requireSession(call);
  const session = (await store.activeSessions(user.id, now)).find(({ id }) => id === pathId(call));
  if (!session) throw clerkErrors.notFound('Session');
  const revoked = { ...session, status: 'revoked' as const, updated_at: now };
  await store.save('session', revoked);
  await refresh(call);
  return respond(call, sessionActivityJson(revoked));
}

/** Starts a visit to the provider that connects its account to the signed-in user. */
async function startConnecting(call: BrowserCall): Promise<Response> {
  requireSession(call);
  const flow = await startOauth(call);
  if (!flow) throw clerkErrors.missing('strategy');
  return respond(call, {
    object: 'external_account',
    id: flow.id,
    provider: flow.strategy,
    email_address: '',
    verification: oauthVerificationJson(flow, call.clerkUrl),
  });
}

/** Disconnects an account; the last way to sign in stays. */
async function disconnect(call: BrowserCall): Promise<Response> {
  const { user } = requireSession(call);
  const account = user.external_accounts.find(({ id }) => id === pathId(call));
  if (!account) throw clerkErrors.notFound('External account');
  const others = user.external_accounts.filter(({ id }) => id !== account.id);
  if (!user.password_enabled && others.length === 0) throw clerkErrors.lastIdentification();
  await call.store.releaseAccount(account);
  await change(call, { ...user, external_accounts: others });
  return respond(call, deletedJson('external_account', account.id));
}
