import 'server-only';
import type { Answer } from '../answer';
import { answerBrowser, ensureClient, refreshClient } from '../browser';
import type { Call } from '../call';
import { decideSignUp } from '../domain/decide-sign-up';
import { checkCode } from '../domain/verification-code';
import { clerkErrors } from '../errors';
import { readEmail, readNewPassword } from '../fields';
import type { Form } from '../form';
import { readOauthFlow } from '../oauth-visits';
import { hashPassword } from '../passwords';
import { updateOauthFlow } from '../queries/oauth-flows';
import { completeSignUp, createSignUp, findSignUp, type SignUpFields, updateSignUp } from '../queries/sign-ups';
import { inTransaction, isUniqueViolation } from '../queries/transaction';
import { findUserByEmail } from '../queries/users';
import type { ClientRecord, SignUpRecord } from '../records';
import { signUpResource } from '../resources/sign-up';
import { emitUserEvent } from '../webhooks';

/**
 * POST /v1/client/sign_ups: starts, and completes at once where nothing is missing. Also a visit to the provider, or one
 * that began as a sign-in.
 */
export async function startSignUp(call: Call): Promise<Answer> {
  const client = await ensureClient(call);
  if (client.session) throw clerkErrors.sessionExists();
  if (call.form.isTrue('transfer')) return transferFromSignIn(call, client);
  const flow = await readOauthFlow(call, client.id);
  const fields = await readSignUpFields(call.form);
  await createSignUp(client.id, { ...fields, ...(flow && { oauthFlowId: flow.id }) }, call.now);
  return proceed(call);
}

/**
 * The provider's account is new here: the sign-in becomes a sign-up. Its metadata comes with this request, so it is only
 * as complete as what `<SignIn unsafeMetadata>` was given.
 */
async function transferFromSignIn(call: Call, client: ClientRecord): Promise<Answer> {
  const flow = client.signIn?.oauthFlow;
  if (flow?.status !== 'transferable') throw clerkErrors.notFound('Transferable sign-in');
  await updateOauthFlow(flow.id, { status: 'verified', errorCode: null });
  const { emailAddress, firstName, lastName, id: oauthFlowId } = flow;
  const fields = await readSignUpFields(call.form);
  await createSignUp(client.id, { emailAddress, firstName, lastName, oauthFlowId, ...fields }, call.now);
  return proceed(call);
}

/** PATCH /v1/client/sign_ups/:id: adds what was missing. */
export async function changeSignUp(call: Call): Promise<Answer> {
  await updateSignUp(ownSignUp(call).id, await readSignUpFields(call.form));
  return proceed(call);
}

export async function readSignUp(call: Call): Promise<Answer> {
  const signUp = call.client && (await findSignUp(call.client.id, call.params.id ?? ''));
  if (!signUp) throw clerkErrors.notFound('Sign-up');
  return answerBrowser(call, signUpResource(signUp));
}

/** "Sends" the code, which is always the same. */
export async function prepareVerification(call: Call): Promise<Answer> {
  const { id } = ownSignUp(call);
  await updateSignUp(id, { codeSentAt: call.now, attempts: 0 });
  return answerAttempt(call);
}

export async function attemptVerification(call: Call): Promise<Answer> {
  const signUp = ownSignUp(call);
  try {
    checkCode(call.form.text('code'), signUp, call.now);
  } catch (error) {
    await updateSignUp(signUp.id, { attempts: { increment: 1 } });
    throw error;
  }
  await updateSignUp(signUp.id, { verifiedAt: call.now });
  return proceed(call);
}

/** Completes the attempt where it has all it needs; answers how it stands. */
async function proceed(call: Call): Promise<Answer> {
  const { signUp } = await refreshClient(call);
  if (!(await finishSignUp(call))) return answerAttempt(call);
  call.params.id = signUp?.id ?? '';
  return readSignUp(call);
}

/** Makes the user of this browser's attempt and signs them in; false where something is missing. */
export async function finishSignUp(call: Call): Promise<boolean> {
  const { id: clientId, signUp } = await refreshClient(call);
  if (!signUp || decideSignUp(signUp).status !== 'ready') return false;
  try {
    await inTransaction(async (tx) => {
      const user = await completeSignUp(tx, clientId, signUp, call.now);
      await emitUserEvent('user.created', user, call, tx);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? clerkErrors.identifierExists() : error;
  }
  await refreshClient(call);
  return true;
}

async function answerAttempt(call: Call): Promise<Answer> {
  const { signUp } = await refreshClient(call);
  return answerBrowser(call, signUp ? signUpResource(signUp) : null);
}

/** The attempt named in the path, which must be the one in progress in this browser. */
function ownSignUp({ client, params }: Call): SignUpRecord {
  if (!client?.signUp || client.signUp.id !== params.id) throw clerkErrors.notFound('Sign-up');
  return client.signUp;
}

async function readSignUpFields(form: Form): Promise<SignUpFields> {
  const fields: SignUpFields = {};
  const emailAddress = readEmail(form);
  if (emailAddress) {
    if (await findUserByEmail(emailAddress)) throw clerkErrors.identifierExists();
    Object.assign(fields, { emailAddress, verifiedAt: null, codeSentAt: null });
  }
  const password = readNewPassword(form);
  if (password) fields.passwordHash = await hashPassword(password);
  if (form.has('first_name')) fields.firstName = form.text('first_name');
  if (form.has('last_name')) fields.lastName = form.text('last_name');
  const unsafeMetadata = form.metadata('unsafe_metadata');
  if (unsafeMetadata) fields.unsafeMetadata = unsafeMetadata;
  return fields;
}
