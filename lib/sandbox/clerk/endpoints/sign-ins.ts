import 'server-only';
import type { Answer } from '../answer';
import { answerBrowser, ensureClient, refreshClient } from '../browser';
import type { Call } from '../call';
import { checkCode } from '../domain/verification-code';
import { clerkErrors } from '../errors';
import { findUserByOauth, readOauthFlow } from '../oauth-visits';
import { isPassword } from '../passwords';
import { completeSignIn, createSignIn, findSignIn, updateSignIn } from '../queries/sign-ins';
import { findUser, findUserByEmail } from '../queries/users';
import type { ClientRecord, SignInRecord } from '../records';
import { signInResource } from '../resources/sign-in';
import { readTicket } from '../sign-in-ticket';

/**
 * POST /v1/client/sign_ins: who is it? An address (with the password at once, if the caller has both), a ticket from the
 * Backend API, a visit to the provider, or a visit that began as a sign-up.
 */
export async function startSignIn(call: Call): Promise<Answer> {
  const client = await ensureClient(call);
  if (client.session) throw clerkErrors.sessionExists();
  if (call.form.isTrue('transfer')) return transferFromSignUp(call, client);
  if (call.form.text('strategy') === 'ticket') return redeemTicket(call, client);
  const flow = await readOauthFlow(call, client.id);
  const identifier = flow ? null : call.form.text('identifier');
  const user = identifier ? await findUserByEmail(identifier) : null;
  if (identifier && !user) throw clerkErrors.identifierNotFound();
  const oauthFlowId = flow?.id ?? null;
  await createSignIn(client.id, { identifier, userId: user?.id ?? null, oauthFlowId }, call.now);
  const signIn = await currentSignIn(call);
  return user && call.form.has('password')
    ? attemptPassword(call, signIn)
    : answerBrowser(call, signInResource(signIn));
}

/** The provider knows this person already: the sign-up that they began becomes a sign-in. */
async function transferFromSignUp(call: Call, client: ClientRecord): Promise<Answer> {
  const flow = client.signUp?.oauthFlow;
  if (flow?.status !== 'transferable') throw clerkErrors.notFound('Transferable sign-up');
  const user = await findUserByOauth(flow);
  if (!user) throw clerkErrors.identifierNotFound();
  await createSignIn(client.id, { identifier: null, userId: user.id, oauthFlowId: flow.id }, call.now);
  const signIn = await currentSignIn(call);
  return complete(call, signIn);
}

/** A sign-in token that a server has made: POST /v1/sign_in_tokens. */
async function redeemTicket(call: Call, client: ClientRecord): Promise<Answer> {
  const userId = await readTicket(call.form.required('ticket'));
  const user = userId ? await findUser(userId) : null;
  if (!user) throw clerkErrors.ticketInvalid();
  await createSignIn(client.id, { identifier: null, userId: user.id }, call.now);
  return complete(call, await currentSignIn(call));
}

async function currentSignIn(call: Call): Promise<SignInRecord> {
  const { signIn } = await refreshClient(call);
  if (!signIn) throw clerkErrors.notFound('Sign-in');
  return signIn;
}

export async function readSignIn(call: Call): Promise<Answer> {
  const signIn = call.client && (await findSignIn(call.client.id, call.params.id ?? ''));
  if (!signIn) throw clerkErrors.notFound('Sign-in');
  return answerBrowser(call, signInResource(signIn));
}

/** "Sends" the code, which is always the same. */
export async function prepareFirstFactor(call: Call): Promise<Answer> {
  if (call.form.required('strategy') !== 'email_code') throw clerkErrors.strategyInvalid();
  await updateSignIn(ownSignIn(call).id, { codeSentAt: call.now, attempts: 0 });
  await refreshClient(call);
  return readSignIn(call);
}

export async function attemptFirstFactor(call: Call): Promise<Answer> {
  const signIn = ownSignIn(call);
  const strategy = call.form.required('strategy');
  if (strategy === 'password') return attemptPassword(call, signIn);
  if (strategy === 'email_code') return attemptCode(call, signIn);
  throw clerkErrors.strategyInvalid();
}

async function attemptPassword(call: Call, signIn: SignInRecord): Promise<Answer> {
  const hash = signIn.user?.passwordHash;
  if (!hash || !(await isPassword(call.form.text('password') ?? '', hash))) throw clerkErrors.passwordIncorrect();
  return complete(call, signIn);
}

async function attemptCode(call: Call, signIn: SignInRecord): Promise<Answer> {
  try {
    checkCode(call.form.text('code'), signIn, call.now);
  } catch (error) {
    await updateSignIn(signIn.id, { attempts: { increment: 1 } });
    throw error;
  }
  return complete(call, signIn);
}

async function complete(call: Call, signIn: SignInRecord): Promise<Answer> {
  const client = await ensureClient(call);
  if (!signIn.user) throw clerkErrors.identifierNotFound();
  await completeSignIn(client.id, signIn.id, signIn.user.id, call.now, signIn.oauthFlow);
  await refreshClient(call);
  call.params.id = signIn.id;
  return readSignIn(call);
}

/** The attempt named in the path, which must be the one in progress in this browser. */
function ownSignIn({ client, params }: Call): SignInRecord {
  if (!client?.signIn || client.signIn.id !== params.id) throw clerkErrors.notFound('Sign-in');
  return client.signIn;
}
