// Every change to a user, with the webhook that reports it in the same transaction.
import { resolveTarget } from '../core/config';
import { enqueueDeliveries } from '../core/deliveries';
import type { Call } from './call';
import { clerkErrors } from './errors';
import type { Form } from './form';
import { deletedJson } from './objects/json';
import { backendUserJson, isVerified, primaryAddress, type User } from './objects/user';
import { instanceId } from './session-token';
import { newId } from './store';

/** @throws form_identifier_exists if another user has the address, the connected account or the external ID */
export async function insertUser(call: Call, user: User, passwordHash: string | null): Promise<void> {
  await call.store.insertUser(user, passwordHash);
  await emit(call, 'user.created', user);
}

/** Writes a user back. @param passwordHash the new one, if it changed */
export async function changeUser(call: Call, user: User, passwordHash?: string): Promise<User> {
  const changed = { ...user, updated_at: call.now };
  const extra = passwordHash === undefined ? {} : { internal: { password_hash: passwordHash } };
  await call.store.save('user', changed, extra);
  await emit(call, 'user.updated', changed);
  return changed;
}

/**
 * The address that becomes the primary one, by its ID; null if the request names none.
 * @throws form_param_format_invalid unless it is a verified one of this user
 */
export function readPrimaryId(form: Form, user: User): string | null {
  const id = form.text('primary_email_address_id');
  if (id && !user.email_addresses.some((email) => email.id === id && isVerified(email))) {
    throw clerkErrors.formatInvalid('primary_email_address_id');
  }
  return id;
}

export async function deleteUser(call: Call, user: User): Promise<void> {
  await call.store.removeUser(user.id);
  await emit(call, 'user.deleted', user);
}

/** The webhook names the user's ID in the app's own system too, if there is one; the API's response does not. */
const deletedUser = ({ id, external_id }: User) => ({
  ...deletedJson('user', id),
  ...(external_id && { external_id }),
});

async function emit(call: Call, type: 'user.created' | 'user.updated' | 'user.deleted', user: User): Promise<void> {
  const { emulator, store, request, now } = call;
  const { config, secrets } = emulator;
  if (config.clerkWebhook === null) return;
  const event = {
    data: type === 'user.deleted' ? deletedUser(user) : backendUserJson(user),
    event_attributes: {
      http_request: {
        client_ip: request.header('x-forwarded-for') ?? '',
        user_agent: request.header('user-agent') ?? '',
      },
    },
    instance_id: instanceId(emulator),
    object: 'event',
    timestamp: now,
    type,
  };
  await enqueueDeliveries(store.sql, [
    {
      provider: 'clerk',
      url: resolveTarget(config, config.clerkWebhook),
      secret: secrets.clerkWebhookSecret,
      eventId: newId('msg'),
      eventType: type,
      body: JSON.stringify(event),
      subject: primaryAddress(user) || user.id,
      occurredAt: now / 1000,
    },
  ]);
  call.hasEvents = true;
}
