import 'server-only';
import type { Answer } from '../answer';
import { answerBrowser, refreshClient, requireSession } from '../browser';
import type { Call } from '../call';
import { changeUser } from '../change-user';
import { checkCode } from '../domain/verification-code';
import { clerkErrors } from '../errors';
import { readEmail } from '../fields';
import * as addresses from '../queries/email-addresses';
import { findUserByEmail } from '../queries/users';
import type { EmailRecord } from '../records';
import { deletedResource, emailResource } from '../resources/user';

/** Adds an address to the account; it needs the code, whatever its form. */
export async function addEmailAddress(call: Call): Promise<Answer> {
  const { user } = requireSession(call);
  const address = readEmail(call.form);
  if (!address) throw clerkErrors.missing('email_address');
  if (await findUserByEmail(address)) throw clerkErrors.identifierExists();
  await changeUser(call, user.id, {}, (tx) => addresses.addAddress(tx, user.id, address, call.now));
  return answerAddress(call, ({ address: candidate }) => candidate === address);
}

export async function readEmailAddress(call: Call): Promise<Answer> {
  return answerAddress(call, ({ id }) => id === call.params.id);
}

/** "Sends" the code, which is always the same. */
export async function prepareEmailAddress(call: Call): Promise<Answer> {
  const email = ownAddress(call, ({ id }) => id === call.params.id);
  if (email.verifiedAt) throw clerkErrors.alreadyVerified();
  await addresses.recordCodeSent(email.id, call.now);
  await refreshClient(call);
  return readEmailAddress(call);
}

export async function attemptEmailAddress(call: Call): Promise<Answer> {
  const email = ownAddress(call, ({ id }) => id === call.params.id);
  try {
    checkCode(call.form.text('code'), email, call.now);
  } catch (error) {
    await addresses.recordFailedCode(email.id);
    throw error;
  }
  await changeUser(call, requireSession(call).user.id, {}, (tx) => addresses.recordVerified(tx, email.id, call.now));
  return readEmailAddress(call);
}

/** Removes an address, but not the primary one. */
export async function removeEmailAddress(call: Call): Promise<Answer> {
  const { user } = requireSession(call);
  const email = ownAddress(call, ({ id }) => id === call.params.id);
  if (email.id === user.primaryEmailId) throw clerkErrors.lastIdentification();
  await changeUser(call, user.id, {}, (tx) => addresses.removeAddress(tx, email.id));
  return answerBrowser(call, deletedResource('email_address', email.id));
}

type Select = (email: EmailRecord) => boolean;

const answerAddress = (call: Call, select: Select): Promise<Answer> =>
  answerBrowser(call, emailResource(ownAddress(call, select)));

function ownAddress(call: Call, select: Select): EmailRecord {
  const email = requireSession(call).user.emails.find(select);
  if (!email) throw clerkErrors.notFound('Email address');
  return email;
}
