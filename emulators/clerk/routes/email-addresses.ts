// The addresses of the signed-in user. An added one always needs the code.
import { Hono } from 'hono';
import { type BrowserCall, type Endpoints, errorJson, pathId, refresh, requireSession, respond } from '../call';
import { clerkErrors } from '../errors';
import { deletedJson } from '../objects/json';
import { createEmail, type EmailAddress, emailJson, isVerified, type User } from '../objects/user';
import { attemptCode, codeSent, type Verification } from '../objects/verification';
import { newId } from '../store';
import { changeUser } from '../users';

export function emailAddressRoutes({ browser }: Endpoints): Hono {
  return new Hono()
    .post('/', browser(addAddress))
    .get('/:id', browser(readAddress))
    .delete('/:id', browser(removeAddress))
    .post('/:id/prepare_verification', browser(prepareVerification))
    .post('/:id/attempt_verification', browser(attemptVerification));
}

async function addAddress(call: BrowserCall): Promise<Response> {
  const { user } = requireSession(call);
  const address = call.form.email();
  if (!address) throw clerkErrors.missing('email_address');
  if (await call.store.findUserByEmail(address)) throw clerkErrors.identifierExists();
  const email = createEmail({ id: newId('idn'), address, verification: null }, call.now);
  const others = user.email_addresses.filter((other) => other.email_address !== address);
  await changeUser(call, { ...user, email_addresses: [...others, email] });
  await refresh(call);
  return respond(call, emailJson(email));
}

const readAddress = (call: BrowserCall) => respond(call, emailJson(ownAddress(call).email));

/** No email is sent: the code is always the same. */
async function prepareVerification(call: BrowserCall): Promise<Response> {
  const { email } = ownAddress(call);
  if (isVerified(email)) throw clerkErrors.alreadyVerified();
  await call.store.save('user', withVerification(call, codeSent(call.now)));
  await refresh(call);
  return readAddress(call);
}

/** A wrong code counts, so its error is returned rather than thrown. */
async function attemptVerification(call: BrowserCall): Promise<Response> {
  const { email, user } = ownAddress(call);
  if (isVerified(email)) throw clerkErrors.alreadyVerified();
  const { verification, error } = attemptCode(call.form.text('code'), email.verification, call.now);
  const changed = withVerification(call, verification);
  if (error) {
    await call.store.save('user', changed);
    return errorJson(error);
  }
  await call.store.reserveEmail(email.email_address, user.id);
  await changeUser(call, changed);
  await refresh(call);
  return readAddress(call);
}

async function removeAddress(call: BrowserCall): Promise<Response> {
  const { email, user } = ownAddress(call);
  if (email.id === user.primary_email_address_id) throw clerkErrors.lastIdentification();
  if (isVerified(email)) await call.store.releaseEmail(email.email_address);
  await changeUser(call, { ...user, email_addresses: user.email_addresses.filter(({ id }) => id !== email.id) });
  await refresh(call);
  return respond(call, deletedJson('email_address', email.id));
}

function ownAddress(call: BrowserCall): { email: EmailAddress; user: User } {
  const { user } = requireSession(call);
  const email = user.email_addresses.find(({ id }) => id === pathId(call));
  if (!email) throw clerkErrors.notFound('Email address');
  return { email, user };
}

/** The user with the address in the path as it is verified now. */
function withVerification(call: BrowserCall, verification: Verification | null): User {
  const { email, user } = ownAddress(call);
  return {
    ...user,
    email_addresses: user.email_addresses.map((each) => (each.id === email.id ? { ...each, verification } : each)),
  };
}
