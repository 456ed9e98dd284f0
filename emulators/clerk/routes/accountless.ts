// Keyless mode: keys for a developer without an account, as @clerk/nextjs asks for them in development.
import type { AccountlessApplicationJSON } from '@clerk/backend';
import { Hono } from 'hono';
import { developmentKeys } from '../../core/emulator';
import { type Call, type Endpoints, json } from '../call';
import type { Wire } from '../objects/json';

export function accountlessRoutes({ anyone, server }: Endpoints): Hono {
  return new Hono().post('/', anyone(respondWithKeys)).post('/complete', server(respondWithKeys));
}

/** Every request gets the keys of this instance, the only one. There is no account to move it to. */
function respondWithKeys({ emulator }: Call): Response {
  const { publishableKey, secretKey } = developmentKeys(emulator);
  return json({
    object: 'accountless_application',
    publishable_key: publishableKey,
    secret_key: secretKey,
    claim_url: emulator.config.url,
    api_keys_url: emulator.config.url,
  } satisfies Wire<AccountlessApplicationJSON>);
}
