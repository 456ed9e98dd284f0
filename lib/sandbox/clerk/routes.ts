import 'server-only';
import {
  createSessionToken,
  createSignInToken,
  createTestingToken,
  listSessions,
  readBackendSession,
  revokeSession,
} from './endpoints/backend-sessions';
import { handshake, makeClient, readClient, signOut } from './endpoints/client';
import {
  addEmailAddress,
  attemptEmailAddress,
  prepareEmailAddress,
  readEmailAddress,
  removeEmailAddress,
} from './endpoints/email-addresses';
import { readEnvironment } from './endpoints/environment';
import { removeExternalAccount, startConnecting } from './endpoints/external-accounts';
import { readJwks } from './endpoints/jwks';
import {
  changePassword,
  deleteMe,
  listMySessions,
  mergeMyMetadata,
  readMe,
  revokeMySession,
  updateMe,
} from './endpoints/me';
import { finishOauth } from './endpoints/oauth';
import { createToken, endOwnSession, readSession, removeOwnSession, touch } from './endpoints/sessions';
import { attemptFirstFactor, prepareFirstFactor, readSignIn, startSignIn } from './endpoints/sign-ins';
import { attemptVerification, changeSignUp, prepareVerification, readSignUp, startSignUp } from './endpoints/sign-ups';
import { countUsers, listUsers, mergeUserMetadata, readUser, removeUser, updateUser } from './endpoints/users';
import type { Caller, Handler, Route } from './router';

const route =
  (caller: Caller) =>
  (method: string, pattern: string, handle: Handler): Route => ({ method, pattern, caller, handle });

const browser = route('browser');
const server = route('server');

/** All that the sandbox answers. A path that is missing here is not faithful yet: see README.md. */
export const ROUTES: readonly Route[] = [
  browser('GET', '/v1/environment', readEnvironment),
  browser('PATCH', '/v1/environment', readEnvironment),

  browser('GET', '/v1/client', readClient),
  browser('PUT', '/v1/client', makeClient),
  browser('POST', '/v1/client', makeClient),
  browser('DELETE', '/v1/client', signOut),
  browser('DELETE', '/v1/client/sessions', signOut),
  browser('GET', '/v1/client/handshake', handshake),

  browser('GET', '/v1/client/sessions/:id', readSession),
  browser('POST', '/v1/client/sessions/:id/touch', touch),
  browser('POST', '/v1/client/sessions/:id/tokens', createToken),
  browser('POST', '/v1/client/sessions/:id/end', endOwnSession),
  browser('POST', '/v1/client/sessions/:id/remove', removeOwnSession),

  browser('POST', '/v1/client/sign_ups', startSignUp),
  browser('GET', '/v1/client/sign_ups/:id', readSignUp),
  browser('PATCH', '/v1/client/sign_ups/:id', changeSignUp),
  browser('POST', '/v1/client/sign_ups/:id/prepare_verification', prepareVerification),
  browser('POST', '/v1/client/sign_ups/:id/attempt_verification', attemptVerification),

  browser('POST', '/v1/client/sign_ins', startSignIn),
  browser('GET', '/v1/client/sign_ins/:id', readSignIn),
  browser('POST', '/v1/client/sign_ins/:id/prepare_first_factor', prepareFirstFactor),
  browser('POST', '/v1/client/sign_ins/:id/attempt_first_factor', attemptFirstFactor),

  browser('POST', '/v1/oauth_callback', finishOauth),

  browser('GET', '/v1/me', readMe),
  browser('PATCH', '/v1/me', updateMe),
  browser('DELETE', '/v1/me', deleteMe),
  browser('PATCH', '/v1/me/metadata', mergeMyMetadata),
  browser('POST', '/v1/me/change_password', changePassword),
  browser('GET', '/v1/me/sessions/active', listMySessions),
  browser('POST', '/v1/me/sessions/:id/revoke', revokeMySession),
  browser('POST', '/v1/me/email_addresses', addEmailAddress),
  browser('GET', '/v1/me/email_addresses/:id', readEmailAddress),
  browser('DELETE', '/v1/me/email_addresses/:id', removeEmailAddress),
  browser('POST', '/v1/me/email_addresses/:id/prepare_verification', prepareEmailAddress),
  browser('POST', '/v1/me/email_addresses/:id/attempt_verification', attemptEmailAddress),
  browser('POST', '/v1/me/external_accounts', startConnecting),
  browser('DELETE', '/v1/me/external_accounts/:id', removeExternalAccount),

  server('GET', '/v1/jwks', readJwks),
  server('GET', '/v1/users', listUsers),
  server('GET', '/v1/users/count', countUsers),
  server('GET', '/v1/users/:id', readUser),
  server('PATCH', '/v1/users/:id', updateUser),
  server('PATCH', '/v1/users/:id/metadata', mergeUserMetadata),
  server('DELETE', '/v1/users/:id', removeUser),
  server('GET', '/v1/sessions', listSessions),
  server('GET', '/v1/sessions/:id', readBackendSession),
  server('POST', '/v1/sessions/:id/revoke', revokeSession),
  server('POST', '/v1/sessions/:id/tokens', createSessionToken),
  server('POST', '/v1/sign_in_tokens', createSignInToken),
  server('POST', '/v1/testing_tokens', createTestingToken),
];
