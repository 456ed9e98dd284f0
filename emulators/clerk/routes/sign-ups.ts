import { Hono } from 'hono';
import { loadSignUp, type SignUpAttempt, startSession } from '../browser';
import { type BrowserCall, type Endpoints, ensureClient, errorJson, pathId, refresh, respond } from '../call';
import { clerkErrors } from '../errors';
import { startOauth, toAccount } from '../oauth';
import type { OauthFlow } from '../objects/oauth';
import { createSignUp, decideSignUp, type SignUp, signUpJson } from '../objects/sign-up';
import { createUser } from '../objects/user';
import { attemptCode, codeSent, verifiedBy } from '../objects/verification';
import { hashPassword } from '../passwords';
import { newId, type PasswordHash } from '../store';
import { insertUser } from '../users';

export function signUpRoutes({ browser }: Endpoints): Hono {
  return new Hono()
    .post('/', browser(startSignUp))
    .get('/:id', browser(readSignUp))
    .patch('/:id', browser(changeSignUp))
    .post('/:id/prepare_verification', browser(prepareVerification))
    .post('/:id/attempt_verification', browser(attemptVerification));
}

/**
 * Starts an attempt, and completes it at once if nothing is missing. It may also be a visit to the provider, or one
 * that began as a sign-in.
 */
async function startSignUp(call: BrowserCall): Promise<Response> {
  await ensureClient(call);
  if (call.browser?.signedIn) throw clerkErrors.sessionExists();
  const flow = call.form.isTrue('transfer') ? await takeOverSignIn(call) : await startOauth(call);
  await insertSignUp(call, flow);
  return proceed(call);
}

/** The provider's account is new here: the sign-in becomes a sign-up. */
async function takeOverSignIn({ browser, store }: BrowserCall): Promise<OauthFlow> {
  const flow = browser?.signIn?.flow;
  if (flow?.status !== 'transferable') throw clerkErrors.notFound('Transferable sign-in');
  const verified: OauthFlow = { ...flow, status: 'verified', error_code: null };
  await store.save('oauth_flow', verified);
  return verified;
}

/** Its metadata comes from this request: after a transfer, that of `<SignIn unsafeMetadata>`. */
async function insertSignUp(call: BrowserCall, flow: OauthFlow | null): Promise<void> {
  const { store, now } = call;
  const client = await ensureClient(call);
  const { fields, internal } = await readFields(call);
  const { email_address = null, first_name = null, last_name = null } = flow?.profile ?? {};
  const given = { email_address, first_name, last_name, oauth_flow_id: flow?.id ?? null };
  const signUp = createSignUp(newId('sua'), client.id, { ...given, ...fields }, now);
  await store.insert('sign_up', signUp, { internal });
  await store.save('client', { ...client, sign_up_id: signUp.id, updated_at: now });
}

/** Adds what was missing, or starts a visit to the provider: clerk-js asks for one here if an attempt exists. */
async function changeSignUp(call: BrowserCall): Promise<Response> {
  const { signUp } = ownSignUp(call);
  const flow = await startOauth(call);
  const { fields, internal } = await readFields(call);
  const changed = { ...signUp, ...fields, ...(flow && { oauth_flow_id: flow.id }) };
  await call.store.save('sign_up', changed, fields.has_password ? { internal } : {});
  return proceed(call);
}

async function readSignUp(call: BrowserCall): Promise<Response> {
  const attempt = await loadSignUp(call.store, pathId(call));
  if (!attempt || attempt.signUp.client_id !== call.browser?.client.id) throw clerkErrors.notFound('Sign-up');
  return respondSignUp(call, attempt);
}

/** No email is sent: the code is always the same. */
async function prepareVerification(call: BrowserCall): Promise<Response> {
  const { signUp } = ownSignUp(call);
  const strategy = call.form.text('strategy') ?? 'email_code';
  if (strategy !== 'email_code') throw clerkErrors.strategyNotCovered(strategy);
  await call.store.save('sign_up', { ...signUp, verification: codeSent(call.now) });
  await refresh(call);
  return respondSignUp(call, ownSignUp(call));
}

/** A wrong code counts, so its error is returned rather than thrown. */
async function attemptVerification(call: BrowserCall): Promise<Response> {
  const { signUp } = ownSignUp(call);
  const { verification, error } = attemptCode(call.form.text('code'), signUp.verification, call.now);
  await call.store.save('sign_up', { ...signUp, verification });
  return error ? errorJson(error) : proceed(call);
}

/** Completes the attempt if nothing is missing, and responds with its state. */
async function proceed(call: BrowserCall): Promise<Response> {
  const { signUp: attempt } = await refresh(call);
  if (!attempt) throw clerkErrors.notFound('Sign-up');
  const completed = await completeSignUp(call, attempt);
  return respondSignUp(call, { ...attempt, signUp: completed ?? attempt.signUp });
}

const respondSignUp = (call: BrowserCall, { signUp, flow }: SignUpAttempt) =>
  respond(call, signUpJson(signUp, flow, call.clerkUrl));

/** The attempt in the path, which must be the one in progress in this browser. */
function ownSignUp(call: BrowserCall): SignUpAttempt {
  const attempt = call.browser?.signUp;
  if (attempt?.signUp.id !== pathId(call)) throw clerkErrors.notFound('Sign-up');
  return attempt;
}

/**
 * Makes the user of an attempt and signs them in.
 * @returns the completed attempt; null if something is missing
 * @throws form_identifier_exists if the address was taken since the attempt began
 */
export async function completeSignUp(call: BrowserCall, { signUp, flow }: SignUpAttempt): Promise<SignUp | null> {
  const { store, now } = call;
  const { email_address: address } = signUp;
  if (!address || !decideSignUp(signUp, flow).isReady) return null;
  const { password_hash: passwordHash = null } = await store.internal<PasswordHash>(signUp.id);
  const visit = flow?.status === 'verified' ? flow : null; // an abandoned visit proves nothing about the user
  const proof = signUp.verification?.status === 'verified' ? signUp.verification : null; // a code that was only sent is none
  const user = createUser(
    {
      id: newId('user'),
      emailId: newId('idn'),
      address,
      verification: visit ? verifiedBy(`from_${visit.strategy}`) : (proof ?? verifiedBy('admin')),
      account: visit?.profile ? toAccount(visit.strategy, visit.profile) : null,
      hasPassword: passwordHash !== null,
      last_sign_in_at: now,
      first_name: signUp.first_name,
      last_name: signUp.last_name,
      unsafe_metadata: signUp.unsafe_metadata,
    },
    now,
  );
  await insertUser(call, user, passwordHash);
  const session = await startSession(store, await ensureClient(call), user, now);
  const completed: SignUp = { ...signUp, user_id: user.id, session_id: session.id };
  await store.save('sign_up', completed, { internal: {} });
  if (visit) await store.save('oauth_flow', { ...visit, user_id: user.id });
  await refresh(call);
  return completed;
}

async function readFields({ form, store }: BrowserCall): Promise<{ fields: Partial<SignUp>; internal: PasswordHash }> {
  form.refuse(['username', 'phone_number', 'web3_wallet'], 'sign-up');
  const address = form.email();
  if (address && (await store.findUserByEmail(address))) throw clerkErrors.identifierExists();
  const password = form.newPassword();
  const metadata = form.metadata('unsafe_metadata');
  const fields = {
    ...(address && { email_address: address, verification: null }),
    ...(password && { has_password: true }),
    ...form.names(),
    ...(metadata && { unsafe_metadata: metadata }),
  };
  return { fields, internal: password ? { password_hash: await hashPassword(password) } : {} };
}
