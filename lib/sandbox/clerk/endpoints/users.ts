// The Backend API's users, as `clerkClient()` and `currentUser()` ask for them.
import 'server-only';
import type { Answer } from '../answer';
import type { Call } from '../call';
import { mergeMetadata } from '../domain/merge-metadata';
import { readUserFilter, readUserPage } from '../domain/user-filter';
import { clerkErrors } from '../errors';
import { inTransaction } from '../queries/transaction';
import * as users from '../queries/users';
import type { UserRecord } from '../records';
import { backendUserResource, deletedResource } from '../resources/user';
import { emitUserEvent } from '../webhooks';

async function namedUser({ params }: Call): Promise<UserRecord> {
  const user = await users.findUser(params.id ?? '');
  if (!user) throw clerkErrors.notFound('User');
  return user;
}

export async function listUsers({ query }: Call): Promise<Answer> {
  const found = await users.listUsers(readUserFilter(query), readUserPage(query));
  return { body: found.map(backendUserResource) };
}

export async function countUsers({ query }: Call): Promise<Answer> {
  return { body: { object: 'total_count', total_count: await users.countUsers(readUserFilter(query)) } };
}

export async function readUser(call: Call): Promise<Answer> {
  return { body: backendUserResource(await namedUser(call)) };
}

/** PATCH /v1/users/:id/metadata merges; keys that are not mentioned stay. */
export async function mergeUserMetadata(call: Call): Promise<Answer> {
  const user = await namedUser(call);
  return changeMetadata(call, user, (current, change) => mergeMetadata(current, change));
}

/** PATCH /v1/users/:id replaces a whole metadata object, and sets the name. */
export async function updateUser(call: Call): Promise<Answer> {
  const user = await namedUser(call);
  return changeMetadata(call, user, (_current, change) => change);
}

type Combine = (
  current: UserRecord['unsafeMetadata'],
  change: UserRecord['unsafeMetadata'],
) => UserRecord['unsafeMetadata'];

async function changeMetadata(call: Call, user: UserRecord, combine: Combine): Promise<Answer> {
  const { form } = call;
  const [unsafe, open, secret] = (['unsafe_metadata', 'public_metadata', 'private_metadata'] as const).map((name) =>
    form.metadata(name),
  );
  const change: users.UserChange = {
    ...(unsafe && { unsafeMetadata: combine(user.unsafeMetadata, unsafe) }),
    ...(open && { publicMetadata: combine(user.publicMetadata, open) }),
    ...(secret && { privateMetadata: combine(user.privateMetadata, secret) }),
    ...(form.has('first_name') && { firstName: form.text('first_name') }),
    ...(form.has('last_name') && { lastName: form.text('last_name') }),
  };
  const changed = await inTransaction(async (tx) => {
    const updated = await users.updateUser(tx, user.id, change, call.now);
    await emitUserEvent('user.updated', updated, call, tx);
    return updated;
  });
  return { body: backendUserResource(changed) };
}

export async function removeUser(call: Call): Promise<Answer> {
  const user = await namedUser(call);
  await inTransaction(async (tx) => {
    if (!(await users.deleteUser(tx, user.id))) throw clerkErrors.notFound('User');
    await emitUserEvent('user.deleted', user, call, tx);
  });
  return { body: deletedResource('user', user.id) };
}
