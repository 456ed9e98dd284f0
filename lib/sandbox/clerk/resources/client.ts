import type { ClientJSON } from '@clerk/shared/types';
import type { ClientRecord } from '../records';
import { sessionResource } from './session';
import { signInResource } from './sign-in';
import { signUpResource } from './sign-up';
import type { Wire } from './wire';

/** The browser with its session and the attempts in progress: it accompanies almost every answer. */
export async function clientResource(client: ClientRecord, origin: string, now: Date) {
  return {
    object: 'client',
    id: client.id,
    sessions: client.session ? [await sessionResource(client.session, origin, now)] : [],
    sign_in: client.signIn ? signInResource(client.signIn) : null,
    sign_up: client.signUp ? signUpResource(client.signUp) : null,
    last_active_session_id: client.session?.id ?? null,
    captcha_bypass: false,
    cookie_expires_at: null,
    last_authentication_strategy: null,
    created_at: client.createdAt.getTime(),
    updated_at: client.updatedAt.getTime(),
  } satisfies Wire<ClientJSON>;
}
