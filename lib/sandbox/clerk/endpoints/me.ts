// The account page's endpoints: the signed-in user changes their own data.
import 'server-only';
import type { Answer } from '../answer';
import { answerBrowser, refreshClient, requireSession } from '../browser';
import type { Call } from '../call';
import { changeUser } from '../change-user';
import { mergeMetadata } from '../domain/merge-metadata';
import { clerkErrors } from '../errors';
import { readNewPassword } from '../fields';
import { hashPassword, isPassword } from '../passwords';
import { endSession, listActiveSessions } from '../queries/sessions';
import { inTransaction } from '../queries/transaction';
import { deleteUser, type UserChange } from '../queries/users';
import { sessionActivityResource } from '../resources/session';
import { deletedResource, userResource } from '../resources/user';
import { emitUserEvent } from '../webhooks';

export async function readMe(call: Call): Promise<Answer> {
  return answerBrowser(call, userResource(requireSession(call).user));
}

/** PATCH /v1/me: name, primary address, and `unsafe_metadata` as a whole. */
export async function updateMe(call: Call): Promise<Answer> {
  const { form } = call;
  const { user } = requireSession(call);
  const unsafeMetadata = form.metadata('unsafe_metadata');
  const change: UserChange = {
    ...(form.has('first_name') && { firstName: form.text('first_name') }),
    ...(form.has('last_name') && { lastName: form.text('last_name') }),
    ...(unsafeMetadata && { unsafeMetadata }),
  };
  const primaryEmailId = form.text('primary_email_address_id');
  if (primaryEmailId) {
    const isVerified = user.emails.some((email) => email.id === primaryEmailId && email.verifiedAt);
    if (!isVerified) throw clerkErrors.formatInvalid('primary_email_address_id');
    change.primaryEmailId = primaryEmailId;
  }
  await changeUser(call, user.id, change);
  return readMe(call);
}

/** PATCH /v1/me/metadata merges into `unsafe_metadata`; the browser may write no other. */
export async function mergeMyMetadata(call: Call): Promise<Answer> {
  const { user } = requireSession(call);
  const change = call.form.metadata('unsafe_metadata') ?? {};
  await changeUser(call, user.id, { unsafeMetadata: mergeMetadata(user.unsafeMetadata, change) });
  return readMe(call);
}

/** POST /v1/me/change_password. A user who came through a provider sets their first one here. */
export async function changePassword(call: Call): Promise<Answer> {
  const session = requireSession(call);
  const { user } = session;
  const password = readNewPassword(call.form, 'new_password');
  if (!password) throw clerkErrors.missing('new_password');
  const current = call.form.text('current_password') ?? '';
  if (user.passwordHash && !(await isPassword(current, user.passwordHash))) {
    throw clerkErrors.passwordIncorrect('current_password');
  }
  await changeUser(call, user.id, { passwordHash: await hashPassword(password) });
  if (call.form.isTrue('sign_out_of_other_sessions')) await signOutOthers(user.id, session.id);
  return readMe(call);
}

async function signOutOthers(userId: string, sessionId: string): Promise<void> {
  const others = (await listActiveSessions(userId)).filter(({ id }) => id !== sessionId);
  await Promise.all(others.map(({ id }) => endSession(id, 'revoked')));
}

/** DELETE /v1/me: the user, their sessions and addresses. */
export async function deleteMe(call: Call): Promise<Answer> {
  const { user } = requireSession(call);
  await inTransaction(async (tx) => {
    if (!(await deleteUser(tx, user.id))) throw clerkErrors.notFound('User');
    await emitUserEvent('user.deleted', user, call, tx);
  });
  await refreshClient(call);
  return answerBrowser(call, deletedResource('user', user.id));
}

/** The user's devices. Answered bare, without the envelope. */
export async function listMySessions(call: Call): Promise<Answer> {
  const { user } = requireSession(call);
  return { body: (await listActiveSessions(user.id)).map(sessionActivityResource) };
}

export async function revokeMySession(call: Call): Promise<Answer> {
  const { user } = requireSession(call);
  const session = (await listActiveSessions(user.id)).find(({ id }) => id === call.params.id);
  if (!session) throw clerkErrors.notFound('Session');
  await endSession(session.id, 'revoked');
  await refreshClient(call);
  return answerBrowser(call, sessionActivityResource({ ...session, status: 'revoked' }));
}
