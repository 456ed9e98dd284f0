// The Backend API's users, as `clerkClient()` and `currentUser()` ask for them.
import { Hono } from 'hono';
import { type Call, type Endpoints, json, pathId } from '../call';
import { clerkErrors } from '../errors';
import type { Form } from '../form';
import { deletedJson, type Metadata, mergeMetadata } from '../objects/json';
import { backendUserJson, createUser, type User } from '../objects/user';
import { hashPassword } from '../passwords';
import { newId } from '../store';
import { filterUsers, pageOfUsers, readUserFilter, readUserPage } from '../user-list';
import { changeUser, deleteUser, insertUser } from '../users';

export function backendUserRoutes({ server }: Endpoints): Hono {
  return new Hono()
    .get('/', server(listUsers))
    .post('/', server(createBackendUser))
    .get('/count', server(countUsers))
    .get('/:id', server(readUser))
    .patch('/:id', server(updateUser(replaceMetadata)))
    .patch('/:id/metadata', server(updateUser(mergeMetadata)))
    .put('/:id/metadata', server(updateUser(replaceMetadata)))
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

const NOT_COVERED = ['phone_number', 'username', 'web3_wallet', 'password_digest', 'totp_secret', 'backup_codes'];

/** A user with one address, which counts as verified. */
async function createBackendUser(call: Call): Promise<Response> {
  const { form, now } = call;
  const what = NOT_COVERED.find((name) => form.has(name));
  if (what) throw clerkErrors.notCovered(`users with ${what}`, what);
  const address = form.only('email_address').email();
  if (!address) throw clerkErrors.missing('email_address');
  const password = form.newPassword();
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

/** Names and metadata. Older SDKs replace metadata by PATCH /v1/users/:id, newer ones by PUT. */
const updateUser = (combine: Combine) => async (call: Call) => {
  const { form } = call;
  const user = await namedUser(call);
  const metadata = (name: 'unsafe_metadata' | 'public_metadata' | 'private_metadata') => {
    const change = form.metadata(name);
    return change && { [name]: combine(user[name], change) };
  };
  const changed = await changeUser(call, {
    ...user,
    ...readNames(form),
    ...metadata('unsafe_metadata'),
    ...metadata('public_metadata'),
    ...metadata('private_metadata'),
  });
  return json(backendUserJson(changed));
};

const readNames = (form: Form) => ({
  ...(form.has('first_name') && { first_name: form.text('first_name') }),
  ...(form.has('last_name') && { last_name: form.text('last_name') }),
  ...(form.has('external_id') && { external_id: form.text('external_id') }),
});

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
