// The Backend API's users, as `clerkClient()` and `currentUser()` ask for them.
import { Hono } from 'hono';
import { type Call, type Endpoints, json, pathId } from '../call';
import { clerkErrors } from '../errors';
import { type Form, withinLimit } from '../form';
import { deletedJson, type Metadata, mergeMetadata } from '../objects/json';
import { backendUserJson, createUser, type User } from '../objects/user';
import { hashPassword, isPassword } from '../passwords';
import { newId, type PasswordHash } from '../store';
import { filterUsers, pageOfUsers, readUserFilter, readUserPage } from '../user-list';
import { changeUser, deleteUser, insertUser, readPrimaryId } from '../users';

export function backendUserRoutes({ server }: Endpoints): Hono {
  return new Hono()
    .get('/', server(listUsers))
    .post('/', server(createBackendUser))
    .get('/count', server(countUsers))
    .get('/:id', server(readUser))
    .patch('/:id', server(updateUser))
    .patch('/:id/metadata', server(updateMetadata(mergeMetadata)))
    .put('/:id/metadata', server(updateMetadata(replaceMetadata)))
    .post('/:id/verify_password', server(verifyPassword))
    .post('/:id/ban', server(setBarrier({ banned: true })))
    .post('/:id/unban', server(setBarrier({ banned: false })))
    .post('/:id/lock', server(setBarrier({ locked: true })))
    .post('/:id/unlock', server(setBarrier({ locked: false })))
    .get('/:id/organization_memberships', server(listMemberships))
    .delete('/:id', server(removeUser));
}

const queryOf = ({ request }: Call) => new URL(request.url).searchParams;

async function listUsers(call: Call): Promise<Response> {
  const page = readUserPage(queryOf(call));
  const users = filterUsers(await call.store.all('user'), readUserFilter(queryOf(call)));
  return json(pageOfUsers(users, page).map(backendUserJson));
}

async function countUsers(call: Call): Promise<Response> {
  const users = filterUsers(await call.store.all('user'), readUserFilter(queryOf(call)));
  return json({ object: 'total_count', total_count: users.length });
}

const readUser = async (call: Call) => json(backendUserJson(await namedUser(call)));

const METADATA = ['unsafe_metadata', 'public_metadata', 'private_metadata'] as const;
const FIELDS = ['first_name', 'last_name', 'external_id', 'password', 'skip_password_checks', ...METADATA];

/** A user with one address, which counts as verified. The instance requires a password. */
async function createBackendUser(call: Call): Promise<Response> {
  const { form, now } = call;
  form.allowOnly([...FIELDS, 'email_address', 'skip_password_requirement', 'created_at'], 'users');
  const address = form.only('email_address').email();
  if (!address) throw clerkErrors.missing('email_address');
  const password = readPassword(form);
  if (!password && !form.isTrue('skip_password_requirement')) throw clerkErrors.dataMissing('password');
  const user = createUser(
    {
      id: newId('user'),
      emailId: newId('idn'),
      address,
      hasPassword: password !== null,
      ...readNames(form),
      unsafe_metadata: form.metadata('unsafe_metadata') ?? {},
      public_metadata: form.metadata('public_metadata') ?? {},
      private_metadata: form.metadata('private_metadata') ?? {},
    },
    form.time('created_at') ?? now,
  );
  await insertUser(call, user, password && (await hashPassword(password)));
  return json(backendUserJson(user));
}

type Combine = (current: Metadata, change: Metadata) => Metadata;
const replaceMetadata: Combine = (_current, change) => change;

/** Names, the external ID, the password, and metadata, which older SDKs replace here and newer ones by PUT. */
async function updateUser(call: Call): Promise<Response> {
  const { form, now, store } = call;
  form.allowOnly([...FIELDS, 'primary_email_address_id', 'sign_out_of_other_sessions'], 'users');
  const user = await namedUser(call);
  const primaryId = readPrimaryId(form, user);
  const password = readPassword(form);
  const changed = {
    ...user,
    ...readNames(form),
    ...readMetadata(form, user, replaceMetadata),
    ...(password && { password_enabled: true }),
    ...(primaryId && { primary_email_address_id: primaryId }),
  };
  await store.reserveExternalId(changed, user.external_id);
  const saved = await changeUser(call, changed, password ? await hashPassword(password) : undefined);
  if (password && form.isTrue('sign_out_of_other_sessions')) await store.revokeSessions(user.id, now);
  return json(backendUserJson(saved));
}

const updateMetadata = (combine: Combine) => async (call: Call) => {
  call.form.allowOnly(METADATA, 'metadata');
  const user = await namedUser(call);
  return json(backendUserJson(await changeUser(call, { ...user, ...readMetadata(call.form, user, combine) })));
};

/** The kinds of metadata in the request, as they are after the change. */
const readMetadata = (form: Form, user: User, combine: Combine): Partial<User> =>
  Object.fromEntries(
    METADATA.flatMap((name) => {
      const change = form.metadata(name);
      return change ? [[name, withinLimit(name, combine(user[name], change))]] : [];
    }),
  );

/** Servers may skip the checks, for passwords imported from elsewhere. */
const readPassword = (form: Form): string | null =>
  form.isTrue('skip_password_checks') ? form.text('password') : form.newPassword();

const readNames = (form: Form) => ({
  ...form.names(),
  ...(form.has('external_id') && { external_id: form.text('external_id') }),
});

async function verifyPassword(call: Call): Promise<Response> {
  const { id } = await namedUser(call);
  const { password_hash: hash } = await call.store.internal<PasswordHash>(id);
  const isRight = hash !== undefined && (await isPassword(call.form.required('password'), hash));
  if (!isRight) throw clerkErrors.passwordIncorrect();
  return json({ verified: true });
}

/** A banned or locked user cannot sign in. A ban ends the sessions, too. */
const setBarrier = (barrier: Pick<User, 'banned' | 'locked'>) => async (call: Call) => {
  const user = await changeUser(call, { ...(await namedUser(call)), ...barrier });
  if (user.banned) await call.store.revokeSessions(user.id, call.now);
  return json(backendUserJson(user));
};

/** There are no organizations, so no user is in one. */
async function listMemberships(call: Call): Promise<Response> {
  await namedUser(call);
  return json({ data: [], total_count: 0 });
}

async function removeUser(call: Call): Promise<Response> {
  const user = await namedUser(call);
  await deleteUser(call, user);
  return json(deletedJson('user', user.id));
}

async function namedUser(call: Call): Promise<User> {
  const user = await call.store.find('user', pathId(call));
  if (!user) throw clerkErrors.notFound('User');
  return user;
}
