import { Hono } from 'hono';
import { loadSignIn, type SignInAttempt, startSession } from '../browser';
import { type BrowserCall, type Endpoints, ensureClient, errorJson, pathId, refresh, respond } from '../call';
import { clerkErrors } from '../errors';
import { connectAccount, findOauthUser, startOauth } from '../oauth';
import type { OauthFlow } from '../objects/oauth';
import { createSignIn, needsNewPassword, RESET_STRATEGY, type SignIn, signInJson } from '../objects/sign-in';
import { barOf, type User } from '../objects/user';
import { attemptCode, codeSent, type Verification } from '../objects/verification';
import { hashPassword, isPassword } from '../passwords';
import { readTicket } from '../session-token';
import { newId, type PasswordHash } from '../store';
import { changeUser } from '../users';

export function signInRoutes({ browser }: Endpoints): Hono {
  return new Hono()
    .post('/', browser(startSignIn))
    .get('/:id', browser(readSignIn))
    .post('/:id/prepare_first_factor', browser(prepareFirstFactor))
    .post('/:id/attempt_first_factor', browser(attemptFirstFactor))
    .post('/:id/reset_password', browser(resetPassword));
}

/** The factors that are codes. No email is sent: the code is always the same. */
const CODE_STRATEGIES = ['email_code', RESET_STRATEGY];

/**
 * Starts an attempt: with an address (and the password at once, or a code sent at once, if the caller asks for it), a ticket
 * of the Backend API, a visit to the provider, or a visit that began as a sign-up.
 */
async function startSignIn(call: BrowserCall): Promise<Response> {
  const { form, store } = call;
  await ensureClient(call);
  if (call.browser?.signedIn) throw clerkErrors.sessionExists();
  if (form.isTrue('transfer')) return takeOverSignUp(call);
  const strategy = form.text('strategy');
  if (strategy === 'ticket') return redeemTicket(call);
  const codeStrategy = CODE_STRATEGIES.find((one) => one === strategy);
  const flow = codeStrategy ? null : await startOauth(call);
  const identifier = flow ? null : form.text('identifier');
  const user = identifier ? await store.findUserByEmail(identifier) : null;
  if (identifier && !user) throw clerkErrors.identifierNotFound();
  const verification = user && codeStrategy ? codeSent(call.now, codeStrategy) : null;
  const attempt = await insertSignIn(call, { identifier, user, flow, verification });
  return user && form.has('password') ? attemptPassword(call, attempt) : respondSignIn(call, attempt);
}

/** The provider knows this person already: the sign-up that they began becomes a sign-in. */
async function takeOverSignUp(call: BrowserCall): Promise<Response> {
  const flow = call.browser?.signUp?.flow;
  if (flow?.status !== 'transferable') throw clerkErrors.notFound('Transferable sign-up');
  const user = flow.profile && (await findOauthUser(call.store, flow.strategy, flow.profile));
  if (!user) throw clerkErrors.identifierNotFound();
  return respondComplete(call, await insertSignIn(call, { user, flow }), user);
}

/** A sign-in token that a server has made. It works once. */
async function redeemTicket(call: BrowserCall): Promise<Response> {
  const ticket = await readTicket(call.emulator, call.form.required('ticket'));
  const user = ticket && (await call.store.find('user', ticket.userId));
  if (!ticket || !user) throw clerkErrors.ticketInvalid();
  const attempt = await insertSignIn(call, { user });
  const isFirstUse = await call.store.reserve('sign_in', ticket.id, attempt.signIn.id);
  if (!isFirstUse) throw clerkErrors.ticketUsed();
  return respondComplete(call, attempt, user);
}

type NewAttempt = {
  identifier?: string | null;
  user: User | null;
  flow?: OauthFlow | null;
  verification?: Verification | null;
};

async function insertSignIn(
  call: BrowserCall,
  { identifier = null, user, flow = null, verification = null }: NewAttempt,
): Promise<SignInAttempt> {
  const { store, now } = call;
  const client = await ensureClient(call);
  const fields = { identifier, user_id: user?.id ?? null, oauth_flow_id: flow?.id ?? null, verification };
  const signIn = createSignIn(newId('sia'), client.id, fields, now);
  await store.insert('sign_in', signIn);
  await store.save('client', { ...client, sign_in_id: signIn.id, updated_at: now });
  await refresh(call);
  return { signIn, user, flow };
}

async function readSignIn(call: BrowserCall): Promise<Response> {
  const attempt = await loadSignIn(call.store, pathId(call));
  if (!attempt || attempt.signIn.client_id !== call.browser?.client.id) throw clerkErrors.notFound('Sign-in');
  return respondSignIn(call, attempt);
}

async function prepareFirstFactor(call: BrowserCall): Promise<Response> {
  const { signIn } = ownSignIn(call);
  const strategy = call.form.required('strategy');
  if (!CODE_STRATEGIES.includes(strategy)) throw clerkErrors.strategyNotCovered(strategy);
  await call.store.save('sign_in', { ...signIn, verification: codeSent(call.now, strategy) });
  await refresh(call);
  return respondSignIn(call, ownSignIn(call));
}

function attemptFirstFactor(call: BrowserCall): Promise<Response> {
  const attempt = ownSignIn(call);
  const strategy = call.form.required('strategy');
  if (strategy === 'password') return attemptPassword(call, attempt);
  if (CODE_STRATEGIES.includes(strategy)) return attemptEmailCode(call, attempt, strategy);
  throw clerkErrors.strategyNotCovered(strategy);
}

async function attemptPassword(call: BrowserCall, attempt: SignInAttempt): Promise<Response> {
  const { user } = attempt;
  const { password_hash: hash } = user ? await call.store.internal<PasswordHash>(user.id) : {};
  const isRight = hash !== undefined && (await isPassword(call.form.text('password') ?? '', hash));
  if (!user || !isRight) throw clerkErrors.passwordIncorrect();
  return respondComplete(call, attempt, user);
}

/** A wrong code counts, so its error is returned rather than thrown. */
async function attemptEmailCode(call: BrowserCall, attempt: SignInAttempt, strategy: string): Promise<Response> {
  const { signIn, user } = attempt;
  const sent = signIn.verification?.strategy === strategy ? signIn.verification : null;
  const { verification, error } = attemptCode(call.form.text('code'), sent, call.now);
  if (sent) await call.store.save('sign_in', { ...signIn, verification });
  if (error) return errorJson(error);
  if (!user) throw clerkErrors.identifierNotFound();
  const verified = { ...attempt, signIn: { ...signIn, verification } };
  if (!needsNewPassword(verified.signIn)) return respondComplete(call, verified, user);
  if (call.form.has('password')) return setNewPassword(call, verified, user);
  await refresh(call);
  return respondSignIn(call, ownSignIn(call));
}

async function resetPassword(call: BrowserCall): Promise<Response> {
  const attempt = ownSignIn(call);
  if (!attempt.user || !needsNewPassword(attempt.signIn)) throw clerkErrors.codeNotSent();
  return setNewPassword(call, attempt, attempt.user);
}

/** The new password signs the user in, and out of their other browsers if requested. */
async function setNewPassword(call: BrowserCall, attempt: SignInAttempt, user: User): Promise<Response> {
  const { form, store, now } = call;
  const password = form.newPassword();
  if (!password) throw clerkErrors.missing('password');
  refuseBanned(user);
  const changed = await changeUser(call, { ...user, password_enabled: true }, await hashPassword(password));
  if (form.isTrue('sign_out_of_other_sessions')) await store.revokeSessions(user.id, now);
  return respondComplete(call, attempt, changed);
}

async function respondComplete(call: BrowserCall, attempt: SignInAttempt, user: User): Promise<Response> {
  const signIn = await completeSignIn(call, attempt, user);
  return respondSignIn(call, { ...attempt, signIn, user });
}

function refuseBanned(user: User): void {
  const bar = barOf(user);
  if (bar) throw bar === 'user_banned' ? clerkErrors.userBanned() : clerkErrors.userLocked();
}

/** Signs a user in, and connects the account that they signed in with. @returns the attempt after that */
export async function completeSignIn(call: BrowserCall, { signIn, flow }: SignInAttempt, user: User): Promise<SignIn> {
  const { store, now } = call;
  refuseBanned(user);
  const connected = flow ? await connectAccount(call, user, flow) : user;
  const session = await startSession(store, await ensureClient(call), connected, now);
  const completed: SignIn = { ...signIn, user_id: user.id, session_id: session.id };
  await store.save('sign_in', completed);
  await refresh(call);
  return completed;
}

const respondSignIn = (call: BrowserCall, { signIn, user, flow }: SignInAttempt) =>
  respond(call, signInJson(signIn, user, flow, call.clerkUrl));

/** The attempt in the path, which must be the one in progress in this browser. */
function ownSignIn(call: BrowserCall): SignInAttempt {
  const attempt = call.browser?.signIn;
  if (attempt?.signIn.id !== pathId(call)) throw clerkErrors.notFound('Sign-in');
  return attempt;
}
